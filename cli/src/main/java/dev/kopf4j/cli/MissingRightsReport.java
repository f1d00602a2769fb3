package dev.kopf4j.cli;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorException;
import dev.kopf4j.engine.rights.RightsPlan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When a request is forbidden for the first time, asks for all rights that the operator needs, and tells once what is
 * missing and which handlers need it. Until then it costs nothing. Thread-safe.
 */
final class MissingRightsReport implements MetricsListener {
    private static final Logger LOG = LoggerFactory.getLogger("kopf4j.cli");
    private static final int FORBIDDEN = 403;

    private final Supplier<RightsPlan> plan;
    private final AtomicBoolean asked = new AtomicBoolean();

    /** A report for the operator of the plan, which is made only when it is needed. */
    MissingRightsReport(Supplier<RightsPlan> plan) {
        this.plan = plan;
    }

    @Override
    public void requestEnded(String verb, int status, Duration took) {
        if (status == FORBIDDEN && asked.compareAndSet(false, true)) {
            Thread.ofVirtual().name("missing-rights").start(this::tell);
        }
    }

    private void tell() {
        try {
            List<String> missing = plan.get().missing();
            if (!missing.isEmpty()) {
                LOG.warn(
                        "The operator's account lacks rights, which the roles of `kopf4j manifests` have:\n  {}",
                        String.join("\n  ", missing));
            }
        } catch (OperatorException e) {
            LOG.debug("It cannot be found out which rights are missing.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
