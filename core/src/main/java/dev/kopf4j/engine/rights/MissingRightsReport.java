package dev.kopf4j.engine.rights;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorException;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When a request is forbidden for the first time, asks for all rights that the operator needs, and tells once what is
 * missing and which handlers need it. Until then it costs nothing. Thread-safe.
 */
public final class MissingRightsReport implements MetricsListener {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");
    private static final int FORBIDDEN = 403;

    /** Whether that is so cannot be asked: the right to read the namespace went with the Role, too. */
    private static final String WHERE_ROLES_GO_FIRST = "\n  If a namespace of these is being deleted, its Roles went"
            + " first, and none can be made there: a ClusterRole lets the operator end its work (`kopf4j doctor` tells"
            + " how)";

    private final OperatorPlan plan;
    private final Platform platform;
    private final AtomicBoolean asked = new AtomicBoolean();

    /** A report for an operator on this machine. */
    public MissingRightsReport(OperatorPlan plan, Platform platform) {
        this.plan = plan;
        this.platform = platform;
    }

    @Override
    public void requestEnded(String verb, int status, Duration took) {
        if (status == FORBIDDEN && asked.compareAndSet(false, true)) {
            platform.spawn("missing-rights", this::tell);
        }
    }

    private boolean isGrantedByRoles() {
        return !NamespacePattern.names(plan.namespaces()).isEmpty();
    }

    private void tell() {
        try {
            List<String> missing = new RightsPlan(plan).missing();
            if (!missing.isEmpty()) {
                log.warn(
                        "K4-003: The operator's account lacks rights, which the roles of `kopf4j manifests` have:\n  {}{}",
                        String.join("\n  ", missing),
                        isGrantedByRoles() ? WHERE_ROLES_GO_FIRST : "");
            }
        } catch (OperatorException e) {
            log.debug("It cannot be found out which rights are missing.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
