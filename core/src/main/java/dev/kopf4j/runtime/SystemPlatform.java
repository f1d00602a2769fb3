package dev.kopf4j.runtime;

import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The real machine: its clocks, virtual threads, a few threads of the kernel, and unseeded randomness. Thread-safe. */
public final class SystemPlatform implements Platform {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.runtime");

    /** Makes a platform of this machine; all instances are alike. */
    public SystemPlatform() {}

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Task spawn(String name, Runnable body) {
        return new ThreadTask(this, Thread.ofVirtual().name(name), body).start();
    }

    /** The kernel lets it have its turn, while virtual threads keep a processor for as long as they compute. */
    @Override
    public Task spawnUnhindered(String name, Runnable body) {
        return new ThreadTask(this, Thread.ofPlatform().daemon().name(name), body).start();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // it saves work where it is obeyed, and nothing depends on it
    public void letOthersRun() {
        Thread.yield();
    }

    @Override
    public Monitor monitor() {
        return new LockMonitor(this);
    }

    @Override
    public RandomGenerator random() {
        return ThreadLocalRandom.current();
    }

    /**
     * Calls its body directly: each call on the stack of a waiting thread takes memory. Values that are bound to the
     * thread of whoever starts an operator, such as the user of a web request, are not for its handlers; its class
     * loader is.
     */
    private static final class ThreadTask implements Task, Runnable {
        private final Platform platform;
        private final Thread thread;
        private final Runnable body;

        ThreadTask(Platform platform, Thread.Builder thread, Runnable body) {
            this.platform = platform;
            this.thread = thread.inheritInheritableThreadLocals(false).unstarted(this);
            this.thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
            this.body = body;
        }

        ThreadTask start() {
            thread.start();
            return this;
        }

        @Override
        public void run() {
            try {
                body.run();
            } catch (RuntimeException | Error e) {
                log.error(
                        UNEXPECTED,
                        "Task '{}' has ended with an unexpected error. This is a defect of the framework.",
                        name(),
                        Platform.tellable(e));
            }
        }

        @Override
        public String name() {
            return thread.getName();
        }

        @Override
        public boolean isFinished() {
            return !thread.isAlive();
        }

        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public boolean join(Deadline deadline) throws InterruptedException {
            return thread.join(deadline.remaining(platform));
        }

        @Override
        public StackTraceElement[] stack() {
            return thread.getStackTrace();
        }
    }
}
