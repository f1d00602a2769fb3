package dev.kopf4j;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * How the operator works. Filled before it starts; read-only for handlers. The defaults are stated at each setting.
 *
 * <p>Not thread-safe while it is being filled.
 */
public final class OperatorSettings {
    private final Execution execution = new Execution();
    private final Persistence persistence = new Persistence();
    private final Queueing queueing = new Queueing();
    private final Networking networking = new Networking();
    private final Watching watching = new Watching();
    private final Scanning scanning = new Scanning();
    private final Posting posting = new Posting();
    private final Peering peering = new Peering();
    private final LeaderElection leaderElection = new LeaderElection();

    /** All defaults. */
    public OperatorSettings() {}

    /** How handlers are called. */
    public Execution execution() {
        return execution;
    }

    /** How progress and last-handled states are stored on the objects. */
    public Persistence persistence() {
        return persistence;
    }

    /** How events wait for their processing. */
    public Queueing queueing() {
        return queueing;
    }

    /** How requests are made. */
    public Networking networking() {
        return networking;
    }

    /** How changes are watched. */
    public Watching watching() {
        return watching;
    }

    /** How resources and namespaces are found. */
    public Scanning scanning() {
        return scanning;
    }

    /** How Kubernetes events are posted. */
    public Posting posting() {
        return posting;
    }

    /** How operators of the same objects make way for each other. */
    public Peering peering() {
        return peering;
    }

    /** How one of several replicas is chosen to act. */
    public LeaderElection leaderElection() {
        return leaderElection;
    }

    /** How handlers are called. */
    public static final class Execution {
        private Lifecycle lifecycle = Lifecycle.IN_ORDER;
        private Duration checkpoint = Duration.ofMillis(50);
        private Duration defaultBackoff = Duration.ofMinutes(1);
        private Duration interruptGrace = Duration.ofSeconds(10);

        private Execution() {}

        /** Which of the due handlers of an object are called in one cycle: {@link Lifecycle#IN_ORDER} by default. */
        public Lifecycle lifecycle() {
            return lifecycle;
        }

        /** Sets {@link #lifecycle()}. */
        public Execution lifecycle(Lifecycle value) {
            this.lifecycle = value;
            return this;
        }

        /**
         * How long a success may stay unwritten while the next handlers of the cycle run: 50 ms by default; zero to
         * write after each handler.
         */
        public Duration checkpoint() {
            return checkpoint;
        }

        /** Sets {@link #checkpoint()}. */
        public Execution checkpoint(Duration value) {
            this.checkpoint = value;
            return this;
        }

        /** The pause after an arbitrary exception where the handler has no backoff of its own: 60 s by default. */
        public Duration defaultBackoff() {
            return defaultBackoff;
        }

        /** Sets {@link #defaultBackoff()}. */
        public Execution defaultBackoff(Duration value) {
            this.defaultBackoff = value;
            return this;
        }

        /** How long an interrupted handler may take to end before it is left behind: 10 s by default. */
        public Duration interruptGrace() {
            return interruptGrace;
        }

        /** Sets {@link #interruptGrace()}. */
        public Execution interruptGrace(Duration value) {
            this.interruptGrace = value;
            return this;
        }
    }

    /** How progress and last-handled states are stored on the objects. */
    public static final class Persistence {
        private String finalizer = "kopf.zalando.org/KopfFinalizerMarker";
        private String prefix = "kopf.zalando.org";
        private Duration consistencyTimeout = Duration.ofSeconds(5);
        private ProgressStore progressStorage = ProgressStore.smart();
        private DiffBaseStore diffBaseStorage = DiffBaseStore.annotations();

        private Persistence() {}

        /** Where the progress of handlers is remembered: {@link ProgressStore#smart} by default. */
        public ProgressStore progressStorage() {
            return progressStorage;
        }

        /** Sets {@link #progressStorage()}. */
        public Persistence progressStorage(ProgressStore value) {
            this.progressStorage = value;
            return this;
        }

        /** Where last-handled states are remembered: {@link DiffBaseStore#annotations} by default. */
        public DiffBaseStore diffBaseStorage() {
            return diffBaseStorage;
        }

        /** Sets {@link #diffBaseStorage()}. */
        public Persistence diffBaseStorage(DiffBaseStore value) {
            this.diffBaseStorage = value;
            return this;
        }

        /**
         * The finalizer that holds objects for deletion handlers: {@code kopf.zalando.org/KopfFinalizerMarker} by
         * default.
         */
        public String finalizer() {
            return finalizer;
        }

        /** Sets {@link #finalizer()}. */
        public Persistence finalizer(String value) {
            this.finalizer = value;
            return this;
        }

        /** The prefix of all annotations: {@code kopf.zalando.org} by default. */
        public String prefix() {
            return prefix;
        }

        /** Sets {@link #prefix()}. */
        public Persistence prefix(String value) {
            this.prefix = value;
            return this;
        }

        /**
         * How long an object's handlers wait to see the operator's own last change: 5 s by default; zero for not at
         * all.
         */
        public Duration consistencyTimeout() {
            return consistencyTimeout;
        }

        /** Sets {@link #consistencyTimeout()}. */
        public Persistence consistencyTimeout(Duration value) {
            this.consistencyTimeout = value;
            return this;
        }
    }

    /** How events wait for their processing. */
    public static final class Queueing {
        private int workerLimit = 1000;
        private int backlogLimit = 2000;
        private int eventBacklogLimit = 100;
        private Duration exitTimeout = Duration.ofSeconds(2);
        private List<Duration> errorDelays = seconds(1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610);

        private Queueing() {}

        /** How many objects of a stream are processed at a time: 1000 by default; further ones wait in order. */
        public int workerLimit() {
            return workerLimit;
        }

        /** Sets {@link #workerLimit()}. */
        public Queueing workerLimit(int value) {
            this.workerLimit = value;
            return this;
        }

        /** How many objects of a stream may have unprocessed events: 2000 by default; then the stream waits. */
        public int backlogLimit() {
            return backlogLimit;
        }

        /** Sets {@link #backlogLimit()}. */
        public Queueing backlogLimit(int value) {
            this.backlogLimit = value;
            return this;
        }

        /** How many raw events of one object may wait for its event handlers: 100 by default; then the stream waits. */
        public int eventBacklogLimit() {
            return eventBacklogLimit;
        }

        /** Sets {@link #eventBacklogLimit()}. */
        public Queueing eventBacklogLimit(int value) {
            this.eventBacklogLimit = value;
            return this;
        }

        /** How long running work may take to end when a stream is stopped: 2 s by default. */
        public Duration exitTimeout() {
            return exitTimeout;
        }

        /** Sets {@link #exitTimeout()}. */
        public Queueing exitTimeout(Duration value) {
            this.exitTimeout = value;
            return this;
        }

        /** The growing pauses of an object after errors of the framework or the API; the last one repeats. */
        public List<Duration> errorDelays() {
            return errorDelays;
        }

        /** Sets {@link #errorDelays()}. */
        public Queueing errorDelays(List<Duration> value) {
            this.errorDelays = List.copyOf(value);
            return this;
        }
    }

    /** How requests are made. */
    public static final class Networking {
        private Duration requestTimeout = Duration.ofMinutes(5);
        private @Nullable Duration connectTimeout;
        private List<Duration> errorBackoffs = seconds(1, 1, 2, 3, 5, 8, 13, 21);
        private boolean enforceRetryAfter;
        private int requestsInFlight = 32;

        private Networking() {}

        /** How long one request may take: 300 s by default. */
        public Duration requestTimeout() {
            return requestTimeout;
        }

        /** Sets {@link #requestTimeout()}. */
        public Networking requestTimeout(Duration value) {
            this.requestTimeout = value;
            return this;
        }

        /** How long connecting may take; null, the default, for as long as the request may take. */
        public @Nullable Duration connectTimeout() {
            return connectTimeout;
        }

        /** Sets {@link #connectTimeout()}. */
        public Networking connectTimeout(@Nullable Duration value) {
            this.connectTimeout = value;
            return this;
        }

        /**
         * The pauses between the attempts of one request: 1, 1, 2, 3, 5, 8, 13, 21 s by default; empty for one attempt.
         */
        public List<Duration> errorBackoffs() {
            return errorBackoffs;
        }

        /** Sets {@link #errorBackoffs()}. */
        public Networking errorBackoffs(List<Duration> value) {
            this.errorBackoffs = List.copyOf(value);
            return this;
        }

        /**
         * True to take the server's hint how long to wait even where it is shorter than the pause; false by default.
         */
        public boolean enforceRetryAfter() {
            return enforceRetryAfter;
        }

        /** Sets {@link #enforceRetryAfter()}. */
        public Networking enforceRetryAfter(boolean value) {
            this.enforceRetryAfter = value;
            return this;
        }

        /** How many requests are under way at a time, streams aside: 32 by default; further ones wait. */
        public int requestsInFlight() {
            return requestsInFlight;
        }

        /** Sets {@link #requestsInFlight()}. */
        public Networking requestsInFlight(int value) {
            this.requestsInFlight = value;
            return this;
        }
    }

    /** How changes are watched. */
    public static final class Watching {
        private Duration reconnectBackoff = Duration.ofMillis(100);
        private Duration inactivityTimeout = Duration.ofSeconds(70);
        private @Nullable Duration serverTimeout;
        private int pageSize = 500;

        private Watching() {}

        /** The pause before a stream is opened again: 0.1 s by default, growing while it fails. */
        public Duration reconnectBackoff() {
            return reconnectBackoff;
        }

        /** Sets {@link #reconnectBackoff()}. */
        public Watching reconnectBackoff(Duration value) {
            this.reconnectBackoff = value;
            return this;
        }

        /** A stream in which nothing has arrived for so long is opened anew: 70 s by default. */
        public Duration inactivityTimeout() {
            return inactivityTimeout;
        }

        /** Sets {@link #inactivityTimeout()}. */
        public Watching inactivityTimeout(Duration value) {
            this.inactivityTimeout = value;
            return this;
        }

        /**
         * After what time the server is asked to end a stream; null, the default, for a random time of 5 to 10 minutes.
         */
        public @Nullable Duration serverTimeout() {
            return serverTimeout;
        }

        /** Sets {@link #serverTimeout()}. */
        public Watching serverTimeout(@Nullable Duration value) {
            this.serverTimeout = value;
            return this;
        }

        /** How many objects are listed with one request: 500 by default. */
        public int pageSize() {
            return pageSize;
        }

        /** Sets {@link #pageSize()}. */
        public Watching pageSize(int value) {
            this.pageSize = value;
            return this;
        }
    }

    /** How resources and namespaces are found. */
    public static final class Scanning {
        private boolean disabled;

        private Scanning() {}

        /**
         * True to look at the cluster once, at the start, and not to watch for new resources and namespaces: for
         * operators that may not do so; false by default. Namespaces are then those given by their names.
         */
        public boolean disabled() {
            return disabled;
        }

        /** Sets {@link #disabled()}. */
        public Scanning disabled(boolean value) {
            this.disabled = value;
            return this;
        }
    }

    /** How Kubernetes events are posted. */
    public static final class Posting {
        private boolean enabled = true;
        private boolean loggers;
        private Level level = Level.INFO;
        private String reportingComponent = "kopf";
        private String reportingInstance = "dev";
        private String eventNamePrefix = "kopf-event-";
        private Duration aggregation = Duration.ofMinutes(10);
        private int queueLimit = 1000;

        private Posting() {}

        /** False to post no events at all, whoever asks for them; true by default. */
        public boolean enabled() {
            return enabled;
        }

        /** Sets {@link #enabled()}. */
        public Posting enabled(boolean value) {
            this.enabled = value;
            return this;
        }

        /** True to post what is logged about an object as its events too; false by default. */
        public boolean loggers() {
            return loggers;
        }

        /** Sets {@link #loggers()}. */
        public Posting loggers(boolean value) {
            this.loggers = value;
            return this;
        }

        /**
         * The least level that is posted: {@code INFO} by default. Information counts as {@code INFO}, warnings as
         * {@code WARN}, exceptions as {@code ERROR}.
         */
        public Level level() {
            return level;
        }

        /** Sets {@link #level()}. */
        public Posting level(Level value) {
            this.level = value;
            return this;
        }

        /** Which component the events name as their source: {@code kopf} by default. */
        public String reportingComponent() {
            return reportingComponent;
        }

        /** Sets {@link #reportingComponent()}. */
        public Posting reportingComponent(String value) {
            this.reportingComponent = value;
            return this;
        }

        /** Which instance of the component the events name: {@code dev} by default. */
        public String reportingInstance() {
            return reportingInstance;
        }

        /** Sets {@link #reportingInstance()}. */
        public Posting reportingInstance(String value) {
            this.reportingInstance = value;
            return this;
        }

        /** What the names of the events begin with: {@code kopf-event-} by default. */
        public String eventNamePrefix() {
            return eventNamePrefix;
        }

        /** Sets {@link #eventNamePrefix()}. */
        public Posting eventNamePrefix(String value) {
            this.eventNamePrefix = value;
            return this;
        }

        /**
         * How long an event is remembered, so that the same one of the same object is counted there instead of being
         * posted again: 10 minutes by default; zero to post each one.
         */
        public Duration aggregation() {
            return aggregation;
        }

        /** Sets {@link #aggregation()}. */
        public Posting aggregation(Duration value) {
            this.aggregation = value;
            return this;
        }

        /**
         * How many events may wait to be posted: 1000 by default; further ones are dropped, and their number is logged.
         */
        public int queueLimit() {
            return queueLimit;
        }

        /** Sets {@link #queueLimit()}. */
        public Posting queueLimit(int value) {
            this.queueLimit = value;
            return this;
        }
    }

    /**
     * How operators of the same objects make way for each other: the one with the highest priority acts, the others
     * pause.
     */
    public static final class Peering {
        private String name = "default";
        private int priority;
        private Duration lifetime = Duration.ofMinutes(1);
        private boolean mandatory;
        private boolean standalone;
        private boolean stealth;
        private @Nullable String identity;

        private Peering() {}

        /** The name of the peering object: {@code default} by default. */
        public String name() {
            return name;
        }

        /** Sets {@link #name()}. */
        public Peering name(String value) {
            this.name = value;
            return this;
        }

        /**
         * The priority of this operator; it pauses as long as there is one with a higher or the same priority. 0 by
         * default.
         */
        public int priority() {
            return priority;
        }

        /** Sets {@link #priority()}. */
        public Peering priority(int value) {
            this.priority = value;
            return this;
        }

        /**
         * For how long other operators believe that this one lives, without a new sign of life: 60 s by default; whole
         * seconds.
         */
        public Duration lifetime() {
            return lifetime;
        }

        /** Sets {@link #lifetime()}. */
        public Peering lifetime(Duration value) {
            this.lifetime = value;
            return this;
        }

        /** True to pause until the peering object is seen; false, the default, to act where there is none. */
        public boolean mandatory() {
            return mandatory;
        }

        /** Sets {@link #mandatory()}. */
        public Peering mandatory(boolean value) {
            this.mandatory = value;
            return this;
        }

        /** True to take no part in any peering; false by default. */
        public boolean standalone() {
            return standalone;
        }

        /** Sets {@link #standalone()}. */
        public Peering standalone(boolean value) {
            this.standalone = value;
            return this;
        }

        /** True to log nothing of the signs of life; false by default. */
        public boolean stealth() {
            return stealth;
        }

        /** Sets {@link #stealth()}. */
        public Peering stealth(boolean value) {
            this.stealth = value;
            return this;
        }

        /** What the operator calls itself; null, the default, for {@code $POD_ID} or a generated name. */
        public @Nullable String identity() {
            return identity;
        }

        /** Sets {@link #identity()}. */
        public Peering identity(@Nullable String value) {
            this.identity = value;
            return this;
        }
    }

    /** How one of several replicas is chosen to act: by a {@code Lease}. The others stand by. */
    public static final class LeaderElection {
        private boolean enabled;
        private String leaseName = "kopf4j";
        private @Nullable String leaseNamespace;
        private @Nullable String identity;
        private Duration leaseDuration = Duration.ofSeconds(15);
        private Duration renewDeadline = Duration.ofSeconds(10);
        private Duration retryPeriod = Duration.ofSeconds(2);

        private LeaderElection() {}

        /** True to act only while this replica holds the lease; false by default. */
        public boolean enabled() {
            return enabled;
        }

        /** Sets {@link #enabled()}. */
        public LeaderElection enabled(boolean value) {
            this.enabled = value;
            return this;
        }

        /**
         * The name of the lease, the same for all replicas of an operator and different for each operator:
         * {@code kopf4j} by default.
         */
        public String leaseName() {
            return leaseName;
        }

        /** Sets {@link #leaseName()}. */
        public LeaderElection leaseName(String value) {
            this.leaseName = value;
            return this;
        }

        /** The namespace of the lease; null, the default, for that of the credentials. */
        public @Nullable String leaseNamespace() {
            return leaseNamespace;
        }

        /** Sets {@link #leaseNamespace()}. */
        public LeaderElection leaseNamespace(@Nullable String value) {
            this.leaseNamespace = value;
            return this;
        }

        /**
         * What the replica calls itself, completed by a part of chance; null, the default, for the name of the host.
         */
        public @Nullable String identity() {
            return identity;
        }

        /** Sets {@link #identity()}. */
        public LeaderElection identity(@Nullable String value) {
            this.identity = value;
            return this;
        }

        /** How long the other replicas wait without a renewal until they take over: 15 s by default; whole seconds. */
        public Duration leaseDuration() {
            return leaseDuration;
        }

        /** Sets {@link #leaseDuration()}. */
        public LeaderElection leaseDuration(Duration value) {
            this.leaseDuration = value;
            return this;
        }

        /**
         * How long the leader goes on without a renewal until it steps down: 10 s by default; shorter than the lease.
         */
        public Duration renewDeadline() {
            return renewDeadline;
        }

        /** Sets {@link #renewDeadline()}. */
        public LeaderElection renewDeadline(Duration value) {
            this.renewDeadline = value;
            return this;
        }

        /** The time between two attempts to take or to renew the lease: 2 s by default. */
        public Duration retryPeriod() {
            return retryPeriod;
        }

        /** Sets {@link #retryPeriod()}. */
        public LeaderElection retryPeriod(Duration value) {
            this.retryPeriod = value;
            return this;
        }
    }

    private static List<Duration> seconds(int... values) {
        return java.util.Arrays.stream(values).mapToObj(Duration::ofSeconds).toList();
    }
}
