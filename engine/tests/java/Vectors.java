import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Writes what the JDK's own generator gives, for the test that compares ours with it.
 *
 * <p>Each line is `SEED CALL VALUES..`; every line starts with a new generator of that seed. To regenerate the file:
 * `java Vectors.java > vectors.txt`.
 */
public final class Vectors {
    private static final long[] SEEDS = {
        0, 1, -1, 42, -42, 6, 12, 20211116L, 1L << 31, -(1L << 31), 1L << 47, (1L << 48) - 1, 1L << 48, (1L << 48) + 1,
        0x5DEECE66DL, ~0x5DEECE66DL, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1, -4317855075857153211L,
    };
    /** Small ones, powers of two, and those whose rejection loop runs often. */
    private static final int[] BOUNDS = {
        1, 2, 3, 4, 6, 7, 12, 30, 64, 200, 1000, 1 << 16, (1 << 16) + 1, 1 << 30, (1 << 30) + 1, 3 << 29, Integer.MAX_VALUE,
    };
    private static final int[] SIZES = {0, 1, 2, 5, 30, 200};
    private static final int COUNT = 12;

    private interface Call {
        Object of(Random random);
    }

    /** Opens the protected method that all others are made of. */
    private static final class Open extends Random {
        Open(long seed) {
            super(seed);
        }

        int bits(int bits) {
            return next(bits);
        }
    }

    public static void main(String[] args) {
        for (long seed : SEEDS) {
            for (int bits : new int[] {1, 5, 26, 27, 31, 32}) {
                line(seed, "next" + bits, random -> ((Open) random).bits(bits));
            }
            line(seed, "int", Random::nextInt);
            for (int bound : BOUNDS) {
                line(seed, "below" + bound, random -> random.nextInt(bound));
            }
            line(seed, "long", Random::nextLong);
            line(seed, "boolean", Random::nextBoolean);
            // As bits, so that no printing of decimals stands between the two.
            line(seed, "double", random -> Double.doubleToLongBits(random.nextDouble()));
            for (int size : SIZES) {
                List<Integer> list = new ArrayList<>();
                for (int i = 0; i < size; i++) {
                    list.add(i);
                }
                Collections.shuffle(list, new Random(seed));
                StringBuilder out = new StringBuilder(seed + " shuffle" + size);
                list.forEach(item -> out.append(' ').append(item));
                System.out.println(out);
            }
        }
    }

    private static void line(long seed, String name, Call call) {
        Random random = new Open(seed);
        StringBuilder out = new StringBuilder(seed + " " + name);
        for (int i = 0; i < COUNT; i++) {
            out.append(' ').append(call.of(random));
        }
        System.out.println(out);
    }
}
