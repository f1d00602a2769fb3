package dev.kopf4j.engine.leaderelection;

import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.DurationText;
import dev.kopf4j.text.KubernetesTimestamps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The lease as it is stored; fields are those of Kubernetes' own components. Immutable.
 *
 * @param object the whole object, of which only our fields are changed
 */
public record Lease(ObjectNode object) {
    /** The annotation that says what its holder works at. */
    private static final String PURPOSE = "kopf4j.dev/purpose";

    /** A lease that nobody has held. */
    public static Lease unheard(String namespace, String name) {
        ObjectNode object =
                Json.object().put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
        object.putObject("metadata").put("name", name).put("namespace", namespace);
        object.putObject("spec");
        return new Lease(object);
    }

    /**
     * True if nobody can have the lease until people have changed something: a right, or its namespace, is missing.
     * False if somebody has just deleted it: it is made anew.
     *
     * @param name that of the lease
     */
    public static boolean isRefusal(ClientException e, String name) {
        return e instanceof ForbiddenException
                || (e instanceof NotFoundException missing
                        && (missing.isNamespaceEnding() || !missing.isAbsenceOf(name)));
    }

    /** Who holds it; empty if nobody does. */
    public String holder() {
        return object.path("spec").path("holderIdentity").asString("");
    }

    public String version() {
        return object.path("metadata").path("resourceVersion").asString("");
    }

    public String uid() {
        return object.path("metadata").path("uid").asString("");
    }

    public String name() {
        return object.path("metadata").path("name").asString("");
    }

    public boolean isLabelled(String label, String value) {
        return object.path("metadata").path("labels").path(label).asString("").equals(value);
    }

    /** The value of an annotation; null if there is none. */
    public @Nullable String annotation(String key) {
        return object.path("metadata").path("annotations").path(key).asString(null);
    }

    /** The same lease with a label. */
    public Lease labelled(String label, String value) {
        ObjectNode changed = object.deepCopy();
        changed.withObject("/metadata").withObject("/labels").put(label, value);
        return new Lease(changed);
    }

    /** The same lease with an annotation. */
    public Lease annotated(String key, String value) {
        ObjectNode changed = object.deepCopy();
        changed.withObject("/metadata").withObject("/annotations").put(key, value);
        return new Lease(changed);
    }

    /** The same lease, which says what its holder works at. */
    public Lease with(Purpose purpose) {
        return annotated(PURPOSE, purpose.text());
    }

    /** How long its holder is entitled to it after each renewal. */
    public Duration duration() {
        return Duration.ofSeconds(
                object.path("spec").path("leaseDurationSeconds").asLong(0));
    }

    /** When it was renewed last, by the clock of its holder; null if it does not say. */
    public @Nullable Instant renewed() {
        try {
            return KubernetesTimestamps.parse(
                    object.path("spec").path("renewTime").asString(""));
        } catch (DateTimeException e) {
            return null; // as Kubernetes allows
        }
    }

    /**
     * Since when nothing was heard of the holder, in words; null if the lease was renewed in time.
     *
     * @param now the time by the clock of this machine, which that of the holder is compared with
     */
    public @Nullable String silence(Instant now) {
        Instant renewed = renewed();
        return renewed == null || renewed.plus(duration()).isBefore(now)
                ? "gave its last sign of life at " + renewed
                : null;
    }

    /** The same lease in the hands of this holder, from now on or as before. */
    public Lease heldBy(String identity, Duration duration, Instant now) {
        ObjectNode changed = object.deepCopy();
        ObjectNode spec = changed.withObject("/spec");
        if (!holder().equals(identity)) {
            spec.put("acquireTime", KubernetesTimestamps.format(now));
            spec.put("leaseTransitions", spec.path("leaseTransitions").asInt(0) + (holder().isEmpty() ? 0 : 1));
            if (changed.path("metadata").path("annotations") instanceof ObjectNode annotations) {
                annotations.remove(PURPOSE); // that of the former holder
            }
        }
        spec.put("holderIdentity", identity);
        spec.put("leaseDurationSeconds", duration.toSeconds());
        spec.put("renewTime", KubernetesTimestamps.format(now));
        return new Lease(changed);
    }

    /** The same lease in nobody's hands. */
    public Lease released(Instant now) {
        ObjectNode changed = object.deepCopy();
        ObjectNode spec = changed.withObject("/spec");
        spec.put("holderIdentity", "");
        spec.put("leaseDurationSeconds", 1);
        spec.put("renewTime", KubernetesTimestamps.format(now));
        return new Lease(changed);
    }

    /**
     * What the holder of a lease works at. Who works at different things is no replica of the same operator: if they
     * elect a leader, only one of both ever acts; if they share shards, nobody acts on the objects of the one in the
     * shards of the other.
     *
     * @param namespaces the patterns of namespaces; empty for the whole cluster
     * @param prefix that of its annotations
     * @param kinds those of its handlers that the cluster serves, as {@code plural.group}; empty if they are not known
     */
    public record Purpose(List<String> namespaces, String prefix, List<String> kinds) {
        /** What to do where different operators meet at one lease. */
        public static final String WAY_OUT = "Give each operator a name of its own: settings.operator().name(...), or"
                + " `--set operator.name=...`.";

        /** Handlers of everything that the cluster serves need not be told one by one with each renewal. */
        private static final int KINDS_MAX = 50;

        /** Sorts what it is given. */
        public Purpose {
            namespaces = namespaces.stream().distinct().sorted().toList();
            kinds = kinds.size() > KINDS_MAX
                    ? List.of()
                    : kinds.stream().distinct().sorted().toList();
        }

        /** What the lease says; null if it says nothing, as those of other programs do. */
        public static @Nullable Purpose of(Lease lease) {
            String text = lease.annotation(PURPOSE);
            try {
                ObjectNode stored = text == null ? null : Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
                return stored == null
                        ? null
                        : new Purpose(
                                texts(stored, "namespaces"),
                                stored.path("prefix").asString(""),
                                texts(stored, "kinds"));
            } catch (JsonConversionException e) {
                return null; // it tells nothing about its holder
            }
        }

        private static List<String> texts(ObjectNode stored, String field) {
            return stored.path(field)
                    .valueStream()
                    .map(each -> each.asString(""))
                    .toList();
        }

        /**
         * The text to be stored: {@code {"namespaces":[],"prefix":"kopf.zalando.org","kinds":["sites.example.com"]}}.
         */
        public String text() {
            ObjectNode stored = Json.object();
            namespaces.forEach(stored.putArray("namespaces")::add);
            stored.put("prefix", prefix);
            kinds.forEach(stored.putArray("kinds")::add);
            return Json.text(stored);
        }

        /**
         * How two holders differ so that they must not have one lease, in words; null if they do not. One may have
         * kinds that the other one has not: so it is while a new version is rolled out.
         *
         * @param one the name of this one
         * @param other the name of the other one
         */
        public @Nullable String difference(String one, Purpose others, String other) {
            if (!kinds.isEmpty() && !others.kinds.isEmpty() && Collections.disjoint(kinds, others.kinds)) {
                return one + " handles " + String.join(", ", kinds) + ", and " + other + " "
                        + String.join(", ", others.kinds);
            }
            if (!prefix.equals(others.prefix)) {
                return one + " has the prefix " + prefix + " (persistence.prefix), and " + other + " " + others.prefix;
            }
            return namespaces.equals(others.namespaces)
                    ? null
                    : one + " works in " + places() + ", and " + other + " in " + others.places();
        }

        /**
         * The same for one with this purpose and who holds that lease; null, too, if the lease says nothing.
         *
         * @param one the name of this one
         */
        public @Nullable String differenceTo(Lease lease, String one) {
            Purpose others = of(lease);
            return others == null ? null : difference(one, others, "'" + lease.holder() + "'");
        }

        private String places() {
            return namespaces.isEmpty() ? "the whole cluster" : "the namespaces " + String.join(", ", namespaces);
        }
    }

    /**
     * Reads and writes the lease; writing fails with a conflict if it has changed meanwhile.
     *
     * @param api makes the requests, without retries, as time is short
     * @param namespace where it is
     * @param name which it is
     */
    public record Store(KubernetesApi api, String namespace, String name) {
        /** Where the settings have the lease; without a namespace it is in that of the credentials. */
        public static Store of(KubernetesApi api, OperatorSettings.LeaderElection settings)
                throws InterruptedException {
            String given = settings.leaseNamespace();
            return new Store(api, given == null ? api.defaultNamespace() : given, settings.leaseName());
        }

        /** The lease; null if there is none. */
        public @Nullable Lease read() throws InterruptedException {
            try {
                return new Lease(api.get(WellKnownResources.LEASES, namespace, name));
            } catch (NotFoundException e) {
                return null;
            }
        }

        /** Writes it, and answers it as it is stored. */
        public Lease write(Lease lease) throws InterruptedException {
            return lease.version().isEmpty()
                    ? created(new Lease(api.create(WellKnownResources.LEASES, namespace, lease.object())))
                    : new Lease(api.replace(WellKnownResources.LEASES, namespace, name, lease.object()));
        }

        /** Who believed that {@code {}} is the lease would act by a lease that does not exist. */
        private Lease created(Lease answer) {
            if (!answer.name().equals(name)) {
                throw new ConnectionFailedException(
                        "The creation of the lease " + this,
                        "the API server",
                        new IOException("the answer is not the object \"" + name
                                + "\": something in between has given it, such as a proxy"));
            }
            return answer;
        }

        /** {@code 'ns/name'}. */
        @Override
        public String toString() {
            return "'" + namespace + "/" + name + "'";
        }
    }

    /**
     * Until when this replica may act by a lease. Changed by the task that renews it; read by any thread.
     *
     * <p>The monotonic clock decides. It stands still while the machine is suspended as a whole, as when a laptop is
     * closed or a virtual machine paused, and the wall clock may be set. So the latter ends nothing: where only it says
     * that the time is over, nothing begins before the lease is renewed.
     */
    public static final class Term {
        private final Platform platform;
        private final Monitor monitor;
        private final Runnable renewSoon;
        private volatile Deadline renewedUntil = Deadline.NEVER;
        private volatile Deadline writingUntil;
        private volatile Instant certainUntil = Instant.MAX;

        /**
         * The lease is not held.
         *
         * @param renewSoon lets the lease be renewed at once; called under the monitor
         */
        public Term(Platform platform, Monitor monitor, Runnable renewSoon) {
            this.platform = platform;
            this.monitor = monitor;
            this.renewSoon = renewSoon;
            this.writingUntil = platform.after(Duration.ZERO);
        }

        /** Until when the lease must be renewed; never while it is not held. */
        public Deadline renewedUntil() {
            return renewedUntil;
        }

        /** Until when requests and calls may begin. */
        public Deadline writingUntil() {
            return writingUntil;
        }

        /** True if the lease is held, and was not renewed in time. */
        public boolean isOver() {
            return renewedUntil.hasPassed(platform);
        }

        /** True if the lease is held, and its time is over by the wall clock. */
        public boolean isInDoubt() {
            return platform.now().isAfter(certainUntil);
        }

        /**
         * Lets the lease be renewed if it is in doubt, and waits for that.
         *
         * @return false if it is not renewed in time: {@link #isOver} then, as what is refused must be begun anew
         */
        public boolean awaitCertainty() throws InterruptedException {
            while (isInDoubt() && !isOver()) {
                monitor.locked(renewSoon);
                boolean _ = monitor.awaitTrue(() -> !isInDoubt(), renewedUntil);
            }
            return !isInDoubt();
        }

        /**
         * The lease was taken or renewed.
         *
         * @param renewed until when it must be renewed again
         * @param writing until when requests and calls may begin
         * @param certain the same by the wall clock
         */
        public void extend(Deadline renewed, Deadline writing, Instant certain) {
            monitor.locked(() -> {
                renewedUntil = renewed;
                writingUntil = writing;
                certainUntil = certain;
            });
        }

        /** The lease is not held any more. */
        public void end() {
            endWriting();
            renewedUntil = Deadline.NEVER;
        }

        /** From now on no request and no call may begin. */
        public void endWriting() {
            monitor.locked(() -> {
                writingUntil = platform.after(Duration.ZERO);
                certainUntil = Instant.MAX;
            });
        }
    }

    /**
     * The times of an election. Immutable.
     *
     * @param leaseDuration how long others wait without a renewal
     * @param renewDeadline how long the leader goes on without one
     * @param retryPeriod the time between attempts
     */
    public record Timings(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
        /** Refuses what would give two leaders, or none. */
        public Timings {
            if (leaseDuration.compareTo(Duration.ofSeconds(1)) < 0
                    || renewDeadline.compareTo(leaseDuration) >= 0
                    || retryPeriod.compareTo(renewDeadline) >= 0
                    || retryPeriod.isZero()
                    || retryPeriod.isNegative()) {
                throw new OperatorException(
                        "settings.leaderElection() makes no sense: leaseDuration " + DurationText.format(leaseDuration)
                                + " must be longer than renewDeadline " + DurationText.format(renewDeadline)
                                + ", which must be longer than retryPeriod "
                                + DurationText.format(retryPeriod) + "; the lease lasts one second at the least.");
            }
        }

        /**
         * Those of the settings.
         *
         * @throws OperatorException if they would give two leaders, or none
         */
        public static Timings of(OperatorSettings.LeaderElection settings) {
            return new Timings(
                    Duration.ofSeconds(settings.leaseDuration().toSeconds()),
                    settings.renewDeadline(),
                    settings.retryPeriod());
        }

        /**
         * For how long after the sending of a renewal requests may begin: between the end of the renewals, when work
         * comes to its end, and the end of the lease. What is left is for clocks that run at different speeds.
         */
        public Duration writing() {
            return renewDeadline.plus(leaseDuration.minus(renewDeadline).dividedBy(2));
        }
    }
}
