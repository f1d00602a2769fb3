package dev.kopf4j.e2e.endurance.process;

import java.nio.file.Path;

/** The API server, as far as it can be disturbed. Used by one thread at a time. */
public interface TrialServer extends AutoCloseable {
    /** The administrator's kubeconfig. */
    Path kubeconfig();

    /** Whether it can be frozen: it accepts connections, and never answers. */
    boolean canFreeze();

    /** Whether it can be killed, and started again with what it held. */
    boolean canDie();

    void freeze();

    void thaw();

    void kill();

    /** Starts it after it was killed; returns when it listens. */
    void start();

    /** What PATCHes of operators have done, as far as that is known. */
    PatchCount patches();

    /** Lets it go on, if it is ours: ends it. */
    @Override
    void close();
}
