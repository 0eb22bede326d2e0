package holdfast.commlib;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Lines of text to a server and back. */
final class Lines implements Closeable {
    /** The longest line of the protocol, without its end. */
    static final int MAX_LINE = 1 << 20;

    private static final int CONNECT_MILLIS = 10_000;

    private final Socket socket;
    private final InputStream from;
    private byte[] buffer = new byte[8192];
    /** Where the bytes begin that came and were not returned, how far they were looked at, and where they end. */
    private int start;
    private int seen;
    private int end;

    /** A read that waits longer than the silence ends with a SocketTimeoutException, and may be called again. */
    Lines(String host, int port, Duration silence) throws IOException {
        socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.max(1, (int) silence.toMillis()));
            from = socket.getInputStream();
        } catch (IOException failed) {
            socket.close();
            throw new IOException("no connection to " + host + ":" + port + ": " + failed.getMessage(), failed);
        }
    }

    /** The lines of a client that has connected. */
    Lines(Socket accepted) throws IOException {
        socket = accepted;
        socket.setTcpNoDelay(true);
        from = socket.getInputStream();
    }

    /** Nothing more is written. */
    void end() throws IOException {
        socket.shutdownOutput();
    }

    /** The next line without its end; null when there are no more. An unfinished last line is dropped. */
    String read() throws IOException {
        while (true) {
            while (seen < end) {
                if (buffer[seen++] == '\n') {
                    int last = seen - 1 > start && buffer[seen - 2] == '\r' ? seen - 2 : seen - 1;
                    ByteBuffer line = ByteBuffer.wrap(buffer, start, last - start);
                    start = seen;
                    return decode(line);
                }
            }
            // The end of a line has two bytes at most, and the second has not come.
            checkLength(end - start - 1);
            makeRoom();
            int count = from.read(buffer, end, buffer.length - end);
            if (count < 0) {
                return null;
            }
            end += count;
        }
    }

    void write(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void makeRoom() {
        if (end < buffer.length) {
            return;
        }
        byte[] target = start > 0 ? buffer : new byte[buffer.length * 2];
        System.arraycopy(buffer, start, target, 0, end - start);
        buffer = target;
        end -= start;
        seen -= start;
        start = 0;
    }

    private static void checkLength(int length) throws BadMessageException {
        if (length > MAX_LINE) {
            throw new BadMessageException("a line is longer than " + MAX_LINE + " bytes");
        }
    }

    private static String decode(ByteBuffer line) throws BadMessageException {
        checkLength(line.remaining());
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(line).toString();
        } catch (CharacterCodingException malformed) {
            throw new BadMessageException("a line is not UTF-8");
        }
    }
}
