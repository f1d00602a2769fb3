package dev.kopf4j.cli.process;

import dev.kopf4j.runtime.StopSignals;
import org.jspecify.annotations.Nullable;

/**
 * A signal that asks the program to stop, from its first moment on: it may come before there is what it stops.
 * Thread-safe.
 */
public final class StopRequest {
    private boolean received;
    private @Nullable Runnable stop;

    private StopRequest() {}

    /** Listens to the signals from now on, until the program ends. */
    public static StopRequest listening(StopSignals signals) {
        StopRequest request = new StopRequest();
        var _ = signals.call(request::received);
        return request;
    }

    /** Runs {@code stop} when the program is asked to stop, in a thread of the JVM; at once if it was already. */
    public void onStop(Runnable stop) {
        synchronized (this) {
            this.stop = stop;
            if (!received) {
                return;
            }
        }
        stop.run();
    }

    private void received() {
        Runnable now;
        synchronized (this) {
            received = true;
            now = stop;
        }
        if (now != null) {
            now.run();
        }
    }
}
