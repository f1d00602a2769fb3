package dev.kopf4j.testing.simulation;

import dev.kopf4j.devcluster.api.WatchStream;
import java.util.Optional;

/** A watch that can be broken, or fall silent while it stays open. Confined to the simulation. */
final class ControlledWatch implements WatchStream {
    private final WatchStream inner;
    private Runnable signal = () -> {};
    private boolean broken;
    private boolean silent;

    ControlledWatch(WatchStream inner) {
        this.inner = inner;
    }

    void breakUp() {
        broken = true;
        signal.run();
    }

    void fallSilent() {
        silent = true;
    }

    @Override
    public void onSignal(Runnable newSignal) {
        signal = newSignal;
        inner.onSignal(newSignal);
    }

    @Override
    public Optional<byte[]> take() {
        Optional<byte[]> next = broken ? Optional.empty() : inner.take();
        return silent ? Optional.empty() : next;
    }

    @Override
    public boolean ended() {
        return broken || (!silent && inner.ended());
    }

    @Override
    public void close() {
        inner.close();
    }
}
