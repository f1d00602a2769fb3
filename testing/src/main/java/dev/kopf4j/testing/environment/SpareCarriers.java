package dev.kopf4j.testing.environment;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads of the JVM that virtual threads run on. A handler in an endless loop keeps one for ever, and the tests after
 * it, whose operators live in virtual threads, would wait for those that are left: on a small machine, for none.
 */
public final class SpareCarriers {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.testing");

    private static final String PARALLELISM = "Parallelism";
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private SpareCarriers() {}

    /** Adds one if all of them are busy for a second: an operator has not ended, and what it does is not known. */
    static void addIfNoneIsFree() throws InterruptedException {
        if (!Thread.ofVirtual().start(() -> {}).join(PATIENCE)) {
            add();
        }
    }

    /** Adds one, in place of one that is lost. */
    public static void add() {
        synchronized (SpareCarriers.class) {
            try {
                MBeanServer server = ManagementFactory.getPlatformMBeanServer();
                ObjectName scheduler = new ObjectName("jdk.management:type=VirtualThreadScheduler");
                int present = (int) server.getAttribute(scheduler, PARALLELISM);
                server.setAttribute(scheduler, new Attribute(PARALLELISM, present + 1));
            } catch (JMException | RuntimeException e) {
                // What is about to be thrown names the handler: nothing may take its place.
                log.warn(
                        "A handler never ends, and the JVM cannot be given another thread in its place, so that later"
                                + " tests may wait for ever: {}",
                        e.toString());
            }
        }
    }
}
