import holdfast.commlib.colony.EventFactory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;

/** An event factory that writes down every event before another factory gets it. */
final class Recorder {
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private final EventFactory<Runnable> factory;

    /** Records events; without another factory it does nothing else. The listener gets the number of events. */
    @SuppressWarnings("unchecked")
    Recorder(EventFactory<Runnable> to, IntConsumer count) {
        factory = (EventFactory<Runnable>) Proxy.newProxyInstance(
                Recorder.class.getClassLoader(), new Class<?>[] {EventFactory.class}, (proxy, method, arguments) -> {
                    events.add(method.getName() + Arrays.toString(arguments));
                    count.accept(events.size());
                    // The bot prints these.
                    boolean quiet = method.getName().equals("createCommandFailed");
                    return to == null || quiet ? (Runnable) () -> {} : method.invoke(to, arguments);
                });
    }

    Recorder(EventFactory<Runnable> to) {
        this(to, count -> {});
    }

    EventFactory<Runnable> factory() {
        return factory;
    }

    List<String> events() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }
}
