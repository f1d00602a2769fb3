package dev.kopf4j;

import dev.kopf4j.settings.SettingSources;
import dev.kopf4j.settings.SettingTable;
import dev.kopf4j.settings.SettingValues;
import dev.kopf4j.webhook.WebhookServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * How the operator works. Each setting has a default, and may be changed before the operator starts and by start-up
 * handlers; when those have ended, all settings are read-only. {@link #all()} lists them with their defaults.
 *
 * <p>Not thread-safe while it is being filled.
 *
 * <p>What follows the marker below is generated from {@code SettingTable}: change the table, and run
 * {@code SettingAccessorsTest}, which says how to take over what it has generated.
 */
public final class OperatorSettings {
    private final SettingValues values;
    private final Exiting process;
    private final Posting posting;
    private final Peering peering;
    private final LeaderElection leaderElection;
    private final Watching watching;
    private final Queueing queueing;
    private final Scanning scanning;
    private final Execution execution;
    private final Background background;
    private final Networking networking;
    private final Persistence persistence;
    private final Admission admission;
    private final Children children;

    /** All defaults. */
    public OperatorSettings() {
        this(new SettingValues());
    }

    private OperatorSettings(SettingValues values) {
        this.values = values;
        this.process = new Exiting(values);
        this.posting = new Posting(values);
        this.peering = new Peering(values);
        this.leaderElection = new LeaderElection(values);
        this.watching = new Watching(values);
        this.queueing = new Queueing(values);
        this.scanning = new Scanning(values);
        this.execution = new Execution(values);
        this.background = new Background(values);
        this.networking = new Networking(values);
        this.persistence = new Persistence(values);
        this.admission = new Admission(values);
        this.children = new Children(values);
    }

    /** All settings that there are, in the order of the documentation. */
    public static List<Setting> all() {
        return List.copyOf(SettingTable.ALL);
    }

    /** The values in force, and where each came from. */
    public List<SettingValue> values() {
        return values.explained();
    }

    /**
     * Changes one setting by its name, as configuration files and the environment do.
     *
     * @param name as in {@code peering.priority}
     * @param text the value: {@code 10}, {@code true}, {@code 1m30s}, {@code none}, {@code 1s,2s,5s}
     * @throws SettingException if there is no such setting, or the text is no value of it; with the way out
     */
    public OperatorSettings set(String name, String text) {
        values.setText(name, text);
        return this;
    }

    /**
     * Takes the settings that the environment names: {@code KOPF4J_SETTINGS_PEERING_PRIORITY=100}.
     *
     * @throws SettingException if a variable that begins so names no setting, or its value is none
     */
    public OperatorSettings readEnvironment(Map<String, String> environment) {
        SettingSources.environment(values, environment);
        return this;
    }

    /**
     * Takes the settings that system properties name: {@code kopf4j.settings.peering.priority}.
     *
     * @throws SettingException if a property that begins so names no setting, or its value is none
     */
    public OperatorSettings readProperties(Map<String, String> properties) {
        SettingSources.properties(values, properties);
        return this;
    }

    /**
     * Takes the settings of a YAML file, which has the groups at its top: {@code peering: {priority: 100}}.
     *
     * @throws SettingException if the file cannot be read, is not YAML, or has what is no setting
     */
    public OperatorSettings readFile(Path file) {
        SettingSources.file(values, file);
        return this;
    }

    /**
     * Makes changes that {@link #values} will say came from there.
     *
     * @param origin for people: {@code the option --priority}
     */
    public OperatorSettings from(String origin, Consumer<OperatorSettings> change) {
        values.during(origin, () -> change.accept(this));
        return this;
    }

    /** The same settings, which can be changed on their own. */
    public OperatorSettings copy() {
        return new OperatorSettings(values.copy());
    }

    /** Makes the settings read-only: the operator does so when its start-up handlers have ended. */
    public void freeze() {
        values.freeze();
    }

    // Generated from SettingTable; SettingAccessorsTest holds it.

    /** How the process ends. */
    public Exiting process() {
        return process;
    }

    /** How Kubernetes events are posted. */
    public Posting posting() {
        return posting;
    }

    /** How operators for the same objects get along with each other. */
    public Peering peering() {
        return peering;
    }

    /** How one of several replicas is chosen to act: by a Lease. The others stand by. */
    public LeaderElection leaderElection() {
        return leaderElection;
    }

    /** How changes are watched. */
    public Watching watching() {
        return watching;
    }

    /** How events wait for their processing. */
    public Queueing queueing() {
        return queueing;
    }

    /** How the cluster is looked at. */
    public Scanning scanning() {
        return scanning;
    }

    /** How handlers are called. */
    public Execution execution() {
        return execution;
    }

    /** How daemons and timers are stopped. */
    public Background background() {
        return background;
    }

    /** How requests are made. */
    public Networking networking() {
        return networking;
    }

    /** How progress and last-handled states are stored on the objects. */
    public Persistence persistence() {
        return persistence;
    }

    /** How admission handlers and conversions are reached. */
    public Admission admission() {
        return admission;
    }

    /** How the children of objects are applied. */
    public Children children() {
        return children;
    }

    /** How the process ends. */
    public static final class Exiting {
        private final SettingValues values;

        private Exiting(SettingValues values) {
            this.values = values;
        }

        /**
         * How long the operator may take to stop before the process is ended by force, with exit code 137; null for
         * ever. Only the command line does so: an application that embeds an operator is never ended. Default:
         * {@code 10m}.
         */
        public @Nullable Duration ultimateExitingTimeout() {
            return values.get(SettingTable.PROCESS_ULTIMATE_EXITING_TIMEOUT);
        }

        /** Sets {@link #ultimateExitingTimeout()}. */
        public Exiting ultimateExitingTimeout(@Nullable Duration value) {
            values.set(SettingTable.PROCESS_ULTIMATE_EXITING_TIMEOUT, value);
            return this;
        }
    }

    /** How Kubernetes events are posted. */
    public static final class Posting {
        private final SettingValues values;

        private Posting(SettingValues values) {
            this.values = values;
        }

        /** Whether Kubernetes events are posted at all. Default: {@code true}. */
        public boolean enabled() {
            return values.get(SettingTable.POSTING_ENABLED);
        }

        /** Sets {@link #enabled()}. */
        public Posting enabled(boolean value) {
            values.set(SettingTable.POSTING_ENABLED, value);
            return this;
        }

        /** Whether what handlers log is posted as Kubernetes events, too. Default: {@code false}. */
        public boolean loggers() {
            return values.get(SettingTable.POSTING_LOGGERS);
        }

        /** Sets {@link #loggers()}. */
        public Posting loggers(boolean value) {
            values.set(SettingTable.POSTING_LOGGERS, value);
            return this;
        }

        /**
         * From which level on messages and events are posted: INFO for normal ones, WARN, ERROR. Default: {@code info}.
         */
        public Level level() {
            return values.get(SettingTable.POSTING_LEVEL);
        }

        /** Sets {@link #level()}. */
        public Posting level(Level value) {
            values.set(SettingTable.POSTING_LEVEL, value);
            return this;
        }

        /** Who the events say has reported them. Default: {@code kopf}. */
        public String reportingComponent() {
            return values.get(SettingTable.POSTING_REPORTING_COMPONENT);
        }

        /** Sets {@link #reportingComponent()}. */
        public Posting reportingComponent(String value) {
            values.set(SettingTable.POSTING_REPORTING_COMPONENT, value);
            return this;
        }

        /** Which instance the events say has reported them. Default: {@code dev}. */
        public String reportingInstance() {
            return values.get(SettingTable.POSTING_REPORTING_INSTANCE);
        }

        /** Sets {@link #reportingInstance()}. */
        public Posting reportingInstance(String value) {
            values.set(SettingTable.POSTING_REPORTING_INSTANCE, value);
            return this;
        }

        /** How the generated names of events begin. Default: {@code kopf-event-}. */
        public String eventNamePrefix() {
            return values.get(SettingTable.POSTING_EVENT_NAME_PREFIX);
        }

        /** Sets {@link #eventNamePrefix()}. */
        public Posting eventNamePrefix(String value) {
            values.set(SettingTable.POSTING_EVENT_NAME_PREFIX, value);
            return this;
        }

        /**
         * How long an event is remembered, so that the same one of the same object is counted there instead of being
         * posted again; zero to post each one. Default: {@code 10m}.
         */
        public Duration aggregation() {
            return values.get(SettingTable.POSTING_AGGREGATION);
        }

        /** Sets {@link #aggregation()}. */
        public Posting aggregation(Duration value) {
            values.set(SettingTable.POSTING_AGGREGATION, value);
            return this;
        }

        /**
         * How many events may wait to be posted; further ones are dropped, and their number is logged. Default:
         * {@code 1000}.
         */
        public int queueLimit() {
            return values.get(SettingTable.POSTING_QUEUE_LIMIT);
        }

        /** Sets {@link #queueLimit()}. */
        public Posting queueLimit(int value) {
            values.set(SettingTable.POSTING_QUEUE_LIMIT, value);
            return this;
        }
    }

    /** How operators for the same objects get along with each other. */
    public static final class Peering {
        private final SettingValues values;

        private Peering(SettingValues values) {
            this.values = values;
        }

        /** The name of the peering objects that are joined. Default: {@code default}. */
        public String name() {
            return values.get(SettingTable.PEERING_NAME);
        }

        /** Sets {@link #name()}. */
        public Peering name(String value) {
            values.set(SettingTable.PEERING_NAME, value);
            return this;
        }

        /** True for no log lines about keep-alives. Default: {@code false}. */
        public boolean stealth() {
            return values.get(SettingTable.PEERING_STEALTH);
        }

        /** Sets {@link #stealth()}. */
        public Peering stealth(boolean value) {
            values.set(SettingTable.PEERING_STEALTH, value);
            return this;
        }

        /**
         * The priority of this operator; it pauses as long as there is one with a higher or the same priority. Default:
         * {@code 0}.
         */
        public long priority() {
            return values.get(SettingTable.PEERING_PRIORITY);
        }

        /** Sets {@link #priority()}. */
        public Peering priority(long value) {
            values.set(SettingTable.PEERING_PRIORITY, value);
            return this;
        }

        /**
         * For how long others believe that this operator lives if it is no longer heard; in whole seconds. Default:
         * {@code 1m}.
         */
        public Duration lifetime() {
            return values.get(SettingTable.PEERING_LIFETIME);
        }

        /** Sets {@link #lifetime()}. */
        public Peering lifetime(Duration value) {
            values.set(SettingTable.PEERING_LIFETIME, value);
            return this;
        }

        /** True to be paused as long as there is no peering object. Default: {@code false}. */
        public boolean mandatory() {
            return values.get(SettingTable.PEERING_MANDATORY);
        }

        /** Sets {@link #mandatory()}. */
        public Peering mandatory(boolean value) {
            values.set(SettingTable.PEERING_MANDATORY, value);
            return this;
        }

        /** True to neither look for other operators nor be seen by them. Default: {@code false}. */
        public boolean standalone() {
            return values.get(SettingTable.PEERING_STANDALONE);
        }

        /** Sets {@link #standalone()}. */
        public Peering standalone(boolean value) {
            values.set(SettingTable.PEERING_STANDALONE, value);
            return this;
        }

        /**
         * Whether the peering objects are those of the cluster, rather than of namespaces. Set by the operator when it
         * starts. Default: {@code false}.
         */
        public boolean clusterwide() {
            return values.get(SettingTable.PEERING_CLUSTERWIDE);
        }

        /** Sets {@link #clusterwide()}. */
        public Peering clusterwide(boolean value) {
            values.set(SettingTable.PEERING_CLUSTERWIDE, value);
            return this;
        }

        /** What the operator calls itself; null for $POD_ID or a generated name. Default: null. */
        public @Nullable String identity() {
            return values.get(SettingTable.PEERING_IDENTITY);
        }

        /** Sets {@link #identity()}. */
        public Peering identity(@Nullable String value) {
            values.set(SettingTable.PEERING_IDENTITY, value);
            return this;
        }
    }

    /** How one of several replicas is chosen to act: by a Lease. The others stand by. */
    public static final class LeaderElection {
        private final SettingValues values;

        private LeaderElection(SettingValues values) {
            this.values = values;
        }

        /** True to act only while this replica holds the lease. Default: {@code false}. */
        public boolean enabled() {
            return values.get(SettingTable.LEADERELECTION_ENABLED);
        }

        /** Sets {@link #enabled()}. */
        public LeaderElection enabled(boolean value) {
            values.set(SettingTable.LEADERELECTION_ENABLED, value);
            return this;
        }

        /**
         * The name of the lease, the same for all replicas of an operator and different for each operator. Default:
         * {@code kopf4j}.
         */
        public String leaseName() {
            return values.get(SettingTable.LEADERELECTION_LEASE_NAME);
        }

        /** Sets {@link #leaseName()}. */
        public LeaderElection leaseName(String value) {
            values.set(SettingTable.LEADERELECTION_LEASE_NAME, value);
            return this;
        }

        /** The namespace of the lease; null for that of the credentials. Default: null. */
        public @Nullable String leaseNamespace() {
            return values.get(SettingTable.LEADERELECTION_LEASE_NAMESPACE);
        }

        /** Sets {@link #leaseNamespace()}. */
        public LeaderElection leaseNamespace(@Nullable String value) {
            values.set(SettingTable.LEADERELECTION_LEASE_NAMESPACE, value);
            return this;
        }

        /**
         * What the replica calls itself, completed by a part of chance; null for the name of the host. Default: null.
         */
        public @Nullable String identity() {
            return values.get(SettingTable.LEADERELECTION_IDENTITY);
        }

        /** Sets {@link #identity()}. */
        public LeaderElection identity(@Nullable String value) {
            values.set(SettingTable.LEADERELECTION_IDENTITY, value);
            return this;
        }

        /**
         * How long the other replicas wait without a renewal until they take over; whole seconds. Default: {@code 15s}.
         */
        public Duration leaseDuration() {
            return values.get(SettingTable.LEADERELECTION_LEASE_DURATION);
        }

        /** Sets {@link #leaseDuration()}. */
        public LeaderElection leaseDuration(Duration value) {
            values.set(SettingTable.LEADERELECTION_LEASE_DURATION, value);
            return this;
        }

        /**
         * How long the leader goes on without a renewal until it steps down; shorter than the lease. Default:
         * {@code 10s}.
         */
        public Duration renewDeadline() {
            return values.get(SettingTable.LEADERELECTION_RENEW_DEADLINE);
        }

        /** Sets {@link #renewDeadline()}. */
        public LeaderElection renewDeadline(Duration value) {
            values.set(SettingTable.LEADERELECTION_RENEW_DEADLINE, value);
            return this;
        }

        /** The time between two attempts to take or to renew the lease. Default: {@code 2s}. */
        public Duration retryPeriod() {
            return values.get(SettingTable.LEADERELECTION_RETRY_PERIOD);
        }

        /** Sets {@link #retryPeriod()}. */
        public LeaderElection retryPeriod(Duration value) {
            values.set(SettingTable.LEADERELECTION_RETRY_PERIOD, value);
            return this;
        }
    }

    /** How changes are watched. */
    public static final class Watching {
        private final SettingValues values;

        private Watching(SettingValues values) {
            this.values = values;
        }

        /**
         * After what time the server is asked to end a stream; null for a random time of 4 to 8 minutes. Default: null.
         */
        public @Nullable Duration serverTimeout() {
            return values.get(SettingTable.WATCHING_SERVER_TIMEOUT);
        }

        /** Sets {@link #serverTimeout()}. */
        public Watching serverTimeout(@Nullable Duration value) {
            values.set(SettingTable.WATCHING_SERVER_TIMEOUT, value);
            return this;
        }

        /** After what time a stream is opened anew in any case; null for never. Default: null. */
        public @Nullable Duration clientTimeout() {
            return values.get(SettingTable.WATCHING_CLIENT_TIMEOUT);
        }

        /** Sets {@link #clientTimeout()}. */
        public Watching clientTimeout(@Nullable Duration value) {
            values.set(SettingTable.WATCHING_CLIENT_TIMEOUT, value);
            return this;
        }

        /** How long opening a stream may take; null for networking.connectTimeout. Default: null. */
        public @Nullable Duration connectTimeout() {
            return values.get(SettingTable.WATCHING_CONNECT_TIMEOUT);
        }

        /** Sets {@link #connectTimeout()}. */
        public Watching connectTimeout(@Nullable Duration value) {
            values.set(SettingTable.WATCHING_CONNECT_TIMEOUT, value);
            return this;
        }

        /** The pause before a stream is opened again; it grows while that fails. Default: {@code 100ms}. */
        public Duration reconnectBackoff() {
            return values.get(SettingTable.WATCHING_RECONNECT_BACKOFF);
        }

        /** Sets {@link #reconnectBackoff()}. */
        public Watching reconnectBackoff(Duration value) {
            values.set(SettingTable.WATCHING_RECONNECT_BACKOFF, value);
            return this;
        }

        /** A stream in which nothing has arrived for so long is opened anew. Default: {@code 1m10s}. */
        public Duration inactivityTimeout() {
            return values.get(SettingTable.WATCHING_INACTIVITY_TIMEOUT);
        }

        /** Sets {@link #inactivityTimeout()}. */
        public Watching inactivityTimeout(Duration value) {
            values.set(SettingTable.WATCHING_INACTIVITY_TIMEOUT, value);
            return this;
        }

        /** How many objects are listed with one request. Default: {@code 500}. */
        public int pageSize() {
            return values.get(SettingTable.WATCHING_PAGE_SIZE);
        }

        /** Sets {@link #pageSize()}. */
        public Watching pageSize(int value) {
            values.set(SettingTable.WATCHING_PAGE_SIZE, value);
            return this;
        }

        /**
         * True to get lists as the beginning of a stream where the server offers it (feature WatchList: on by default
         * in Kubernetes 1.32 and since 1.34); else, page by page. Default: {@code false}.
         */
        public boolean streamedLists() {
            return values.get(SettingTable.WATCHING_STREAMED_LISTS);
        }

        /** Sets {@link #streamedLists()}. */
        public Watching streamedLists(boolean value) {
            values.set(SettingTable.WATCHING_STREAMED_LISTS, value);
            return this;
        }

        /**
         * After what time all watched objects are listed again though nothing is wrong, a tenth sooner or later; null
         * for never. Rarely needed: streams that miss something list anew by themselves. Default: null.
         */
        public @Nullable Duration resyncInterval() {
            return values.get(SettingTable.WATCHING_RESYNC_INTERVAL);
        }

        /** Sets {@link #resyncInterval()}. */
        public Watching resyncInterval(@Nullable Duration value) {
            values.set(SettingTable.WATCHING_RESYNC_INTERVAL, value);
            return this;
        }
    }

    /** How events wait for their processing. */
    public static final class Queueing {
        private final SettingValues values;

        private Queueing(SettingValues values) {
            this.values = values;
        }

        /**
         * How many objects of a resource are processed at a time, in all watched namespaces together, those in long
         * waits included; further ones wait, the urgent ones first. Null for no limit: an object whose handler takes
         * long is held in memory with its threads, some 25 KB for a small one. Default: {@code 1000}.
         */
        public @Nullable Integer workerLimit() {
            return values.get(SettingTable.QUEUEING_WORKER_LIMIT);
        }

        /** Sets {@link #workerLimit()}. */
        public Queueing workerLimit(@Nullable Integer value) {
            values.set(SettingTable.QUEUEING_WORKER_LIMIT, value);
            return this;
        }

        /**
         * How many objects of one resource in one namespace are processed at a time, those in long waits included, so
         * that one namespace does not take all workers; null for no such limit. Default: null.
         */
        public @Nullable Integer workerLimitPerNamespace() {
            return values.get(SettingTable.QUEUEING_WORKER_LIMIT_PER_NAMESPACE);
        }

        /** Sets {@link #workerLimitPerNamespace()}. */
        public Queueing workerLimitPerNamespace(@Nullable Integer value) {
            values.set(SettingTable.QUEUEING_WORKER_LIMIT_PER_NAMESPACE, value);
            return this;
        }

        /**
         * How many objects of a resource are processed at a time, in all watched namespaces together, those aside whose
         * handlers run for long: enough to have all permitted requests in flight. More of them would only fill the
         * memory. Default: {@code 40}.
         */
        public int workersAtWork() {
            return values.get(SettingTable.QUEUEING_WORKERS_AT_WORK);
        }

        /** Sets {@link #workersAtWork()}. */
        public Queueing workersAtWork(int value) {
            values.set(SettingTable.QUEUEING_WORKERS_AT_WORK, value);
            return this;
        }

        /**
         * How many objects of a stream may have unprocessed events; then the stream waits. Listed objects are counted
         * apart from changes, which do not wait for them. Default: {@code 200}.
         */
        public int backlogLimit() {
            return values.get(SettingTable.QUEUEING_BACKLOG_LIMIT);
        }

        /** Sets {@link #backlogLimit()}. */
        public Queueing backlogLimit(int value) {
            values.set(SettingTable.QUEUEING_BACKLOG_LIMIT, value);
            return this;
        }

        /**
         * How many raw events of one object may wait for its event handlers; then the stream waits. Default:
         * {@code 100}.
         */
        public int eventBacklogLimit() {
            return values.get(SettingTable.QUEUEING_EVENT_BACKLOG_LIMIT);
        }

        /** Sets {@link #eventBacklogLimit()}. */
        public Queueing eventBacklogLimit(int value) {
            values.set(SettingTable.QUEUEING_EVENT_BACKLOG_LIMIT, value);
            return this;
        }

        /** How long running work may take to end when a stream is stopped. Default: {@code 2s}. */
        public Duration exitTimeout() {
            return values.get(SettingTable.QUEUEING_EXIT_TIMEOUT);
        }

        /** Sets {@link #exitTimeout()}. */
        public Queueing exitTimeout(Duration value) {
            values.set(SettingTable.QUEUEING_EXIT_TIMEOUT, value);
            return this;
        }

        /**
         * The growing pauses of an object after errors of the framework or the API; the last one repeats. In code also
         * without an end. Default: {@code 1s,1s,2s,3s,5s,8s,13s,21s,34s,55s,1m29s,2m24s,3m53s,6m17s,10m10s}.
         */
        public Iterable<Duration> errorDelays() {
            return values.get(SettingTable.QUEUEING_ERROR_DELAYS);
        }

        /** Sets {@link #errorDelays()}. */
        public Queueing errorDelays(Iterable<Duration> value) {
            values.set(SettingTable.QUEUEING_ERROR_DELAYS, value);
            return this;
        }
    }

    /** How the cluster is looked at. */
    public static final class Scanning {
        private final SettingValues values;

        private Scanning(SettingValues values) {
            this.values = values;
        }

        /**
         * True to look at the cluster once, at the start, and not to watch for new resources and namespaces: for
         * operators that may not do so. Namespaces are then those given by their names. Default: {@code false}.
         */
        public boolean disabled() {
            return values.get(SettingTable.SCANNING_DISABLED);
        }

        /** Sets {@link #disabled()}. */
        public Scanning disabled(boolean value) {
            values.set(SettingTable.SCANNING_DISABLED, value);
            return this;
        }

        /**
         * True if the operator is ready (/ready) although the cluster does not serve a resource that a handler names:
         * for handlers of what some clusters only have. Default: {@code false}.
         */
        public boolean optionalResources() {
            return values.get(SettingTable.SCANNING_OPTIONAL_RESOURCES);
        }

        /** Sets {@link #optionalResources()}. */
        public Scanning optionalResources(boolean value) {
            values.set(SettingTable.SCANNING_OPTIONAL_RESOURCES, value);
            return this;
        }
    }

    /** How handlers are called. */
    public static final class Execution {
        private final SettingValues values;

        private Execution(SettingValues values) {
            this.values = values;
        }

        /** Which of the due handlers of an object are called in one cycle. Default: {@code inOrder}. */
        public HandlerLifecycle lifecycle() {
            return values.get(SettingTable.EXECUTION_LIFECYCLE);
        }

        /** Sets {@link #lifecycle()}. */
        public Execution lifecycle(HandlerLifecycle value) {
            values.set(SettingTable.EXECUTION_LIFECYCLE, value);
            return this;
        }

        /**
         * How long a success may stay unwritten while the next handlers of the cycle run; zero to write after each
         * handler. Default: {@code 50ms}.
         */
        public Duration checkpoint() {
            return values.get(SettingTable.EXECUTION_CHECKPOINT);
        }

        /** Sets {@link #checkpoint()}. */
        public Execution checkpoint(Duration value) {
            values.set(SettingTable.EXECUTION_CHECKPOINT, value);
            return this;
        }

        /**
         * How many objects are at a time in the middle of calling several handlers, but for slow ones: one PATCH then
         * writes what all quick handlers of an object have done. Default: {@code 4}.
         */
        public int turns() {
            return values.get(SettingTable.EXECUTION_TURNS);
        }

        /** Sets {@link #turns()}. */
        public Execution turns(int value) {
            values.set(SettingTable.EXECUTION_TURNS, value);
            return this;
        }

        /** The pause after an arbitrary exception where the handler has no backoff of its own. Default: {@code 1m}. */
        public Duration defaultBackoff() {
            return values.get(SettingTable.EXECUTION_DEFAULT_BACKOFF);
        }

        /** Sets {@link #defaultBackoff()}. */
        public Execution defaultBackoff(Duration value) {
            values.set(SettingTable.EXECUTION_DEFAULT_BACKOFF, value);
            return this;
        }

        /** How long an interrupted handler may take to end before it is left behind. Default: {@code 10s}. */
        public Duration interruptGrace() {
            return values.get(SettingTable.EXECUTION_INTERRUPT_GRACE);
        }

        /** Sets {@link #interruptGrace()}. */
        public Execution interruptGrace(Duration value) {
            values.set(SettingTable.EXECUTION_INTERRUPT_GRACE, value);
            return this;
        }

        /**
         * How many handlers run at a time, over all objects; further ones wait in order. Null for no limit.
         * Sub-handlers and daemons are not counted. Default: null.
         */
        public @Nullable Integer maxWorkers() {
            return values.get(SettingTable.EXECUTION_MAX_WORKERS);
        }

        /** Sets {@link #maxWorkers()}. */
        public Execution maxWorkers(@Nullable Integer value) {
            values.set(SettingTable.EXECUTION_MAX_WORKERS, value);
            return this;
        }

        /**
         * Whether people may pause an object, and have its handlers called again, by the annotations `paused` and
         * `retry` below the prefix. Default: {@code true}.
         */
        public boolean pauseAndRetry() {
            return values.get(SettingTable.EXECUTION_PAUSE_AND_RETRY);
        }

        /** Sets {@link #pauseAndRetry()}. */
        public Execution pauseAndRetry(boolean value) {
            values.set(SettingTable.EXECUTION_PAUSE_AND_RETRY, value);
            return this;
        }
    }

    /** How daemons and timers are stopped. */
    public static final class Background {
        private final SettingValues values;

        private Background(SettingValues values) {
            this.values = values;
        }

        /** How often a daemon that does not stop is looked after. Default: {@code 1m}. */
        public Duration cancellationPolling() {
            return values.get(SettingTable.BACKGROUND_CANCELLATION_POLLING);
        }

        /** Sets {@link #cancellationPolling()}. */
        public Background cancellationPolling(Duration value) {
            values.set(SettingTable.BACKGROUND_CANCELLATION_POLLING, value);
            return this;
        }

        /**
         * How long an object's worker waits for daemons that stop at once; after that, the object waits for them in
         * cycles of its own. Zero for not at all, null for 10 ms. Default: null.
         */
        public @Nullable Duration instantExitTimeout() {
            return values.get(SettingTable.BACKGROUND_INSTANT_EXIT_TIMEOUT);
        }

        /** Sets {@link #instantExitTimeout()}. */
        public Background instantExitTimeout(@Nullable Duration value) {
            values.set(SettingTable.BACKGROUND_INSTANT_EXIT_TIMEOUT, value);
            return this;
        }
    }

    /** How requests are made. */
    public static final class Networking {
        private final SettingValues values;

        private Networking(SettingValues values) {
            this.values = values;
        }

        /** How long one request may take. Default: {@code 5m}. */
        public Duration requestTimeout() {
            return values.get(SettingTable.NETWORKING_REQUEST_TIMEOUT);
        }

        /** Sets {@link #requestTimeout()}. */
        public Networking requestTimeout(Duration value) {
            values.set(SettingTable.NETWORKING_REQUEST_TIMEOUT, value);
            return this;
        }

        /** How long connecting may take; null for as long as the request may take. Default: null. */
        public @Nullable Duration connectTimeout() {
            return values.get(SettingTable.NETWORKING_CONNECT_TIMEOUT);
        }

        /** Sets {@link #connectTimeout()}. */
        public Networking connectTimeout(@Nullable Duration value) {
            values.set(SettingTable.NETWORKING_CONNECT_TIMEOUT, value);
            return this;
        }

        /**
         * The pauses between the attempts of one request; empty for one attempt; in code also without an end. Default:
         * {@code 1s,1s,2s,3s,5s,8s,13s,21s}.
         */
        public Iterable<Duration> errorBackoffs() {
            return values.get(SettingTable.NETWORKING_ERROR_BACKOFFS);
        }

        /** Sets {@link #errorBackoffs()}. */
        public Networking errorBackoffs(Iterable<Duration> value) {
            values.set(SettingTable.NETWORKING_ERROR_BACKOFFS, value);
            return this;
        }

        /**
         * True to take the server's hint how long to wait even where it is shorter than the pause. Default:
         * {@code false}.
         */
        public boolean enforceRetryAfter() {
            return values.get(SettingTable.NETWORKING_ENFORCE_RETRY_AFTER);
        }

        /** Sets {@link #enforceRetryAfter()}. */
        public Networking enforceRetryAfter(boolean value) {
            values.set(SettingTable.NETWORKING_ENFORCE_RETRY_AFTER, value);
            return this;
        }

        /**
         * Whether the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment name the proxies, and the file
         * ~/.netrc (or $NETRC) has passwords for them, and for servers without any other credential. Default:
         * {@code false}.
         */
        public boolean trustEnv() {
            return values.get(SettingTable.NETWORKING_TRUST_ENV);
        }

        /** Sets {@link #trustEnv()}. */
        public Networking trustEnv(boolean value) {
            values.set(SettingTable.NETWORKING_TRUST_ENV, value);
            return this;
        }

        /** How many requests are under way at a time, streams aside; further ones wait. Default: {@code 32}. */
        public int requestsInFlight() {
            return values.get(SettingTable.NETWORKING_REQUESTS_IN_FLIGHT);
        }

        /** Sets {@link #requestsInFlight()}. */
        public Networking requestsInFlight(int value) {
            values.set(SettingTable.NETWORKING_REQUESTS_IN_FLIGHT, value);
            return this;
        }
    }

    /** How progress and last-handled states are stored on the objects. */
    public static final class Persistence {
        private final SettingValues values;

        private Persistence(SettingValues values) {
            this.values = values;
        }

        /**
         * The finalizer that holds objects for deletion handlers. Default:
         * {@code kopf.zalando.org/KopfFinalizerMarker}.
         */
        public String finalizer() {
            return values.get(SettingTable.PERSISTENCE_FINALIZER);
        }

        /** Sets {@link #finalizer()}. */
        public Persistence finalizer(String value) {
            values.set(SettingTable.PERSISTENCE_FINALIZER, value);
            return this;
        }

        /** The prefix of all annotations. Default: {@code kopf.zalando.org}. */
        public String prefix() {
            return values.get(SettingTable.PERSISTENCE_PREFIX);
        }

        /** Sets {@link #prefix()}. */
        public Persistence prefix(String value) {
            values.set(SettingTable.PERSISTENCE_PREFIX, value);
            return this;
        }

        /** Where the progress of handlers is remembered. Default: {@code smart}. */
        public ProgressStore progressStorage() {
            return values.get(SettingTable.PERSISTENCE_PROGRESS_STORAGE);
        }

        /** Sets {@link #progressStorage()}. */
        public Persistence progressStorage(ProgressStore value) {
            values.set(SettingTable.PERSISTENCE_PROGRESS_STORAGE, value);
            return this;
        }

        /** Where last-handled states are remembered. Default: {@code annotations}. */
        public DiffBaseStore diffBaseStorage() {
            return values.get(SettingTable.PERSISTENCE_DIFF_BASE_STORAGE);
        }

        /** Sets {@link #diffBaseStorage()}. */
        public Persistence diffBaseStorage(DiffBaseStore value) {
            values.set(SettingTable.PERSISTENCE_DIFF_BASE_STORAGE, value);
            return this;
        }

        /**
         * How long an object's handlers wait to see the operator's own last change; zero for not at all. Default:
         * {@code 5s}.
         */
        public Duration consistencyTimeout() {
            return values.get(SettingTable.PERSISTENCE_CONSISTENCY_TIMEOUT);
        }

        /** Sets {@link #consistencyTimeout()}. */
        public Persistence consistencyTimeout(Duration value) {
            values.set(SettingTable.PERSISTENCE_CONSISTENCY_TIMEOUT, value);
            return this;
        }

        /**
         * Whether handlers that have failed for good are remembered on the object, in the annotation `failed-handlers`
         * that Kopf does not have, when the change counts as handled; otherwise the operator knows them until it ends.
         * Default: {@code false}.
         */
        public boolean failures() {
            return values.get(SettingTable.PERSISTENCE_FAILURES);
        }

        /** Sets {@link #failures()}. */
        public Persistence failures(boolean value) {
            values.set(SettingTable.PERSISTENCE_FAILURES, value);
            return this;
        }
    }

    /** How admission handlers and conversions are reached. */
    public static final class Admission {
        private final SettingValues values;

        private Admission(SettingValues values) {
            this.values = values;
        }

        /**
         * Where the API server's questions for admission handlers and conversions are received; null if there are none.
         * Default: null.
         */
        public @Nullable WebhookServer server() {
            return values.get(SettingTable.ADMISSION_SERVER);
        }

        /** Sets {@link #server()}. */
        public Admission server(@Nullable WebhookServer value) {
            values.set(SettingTable.ADMISSION_SERVER, value);
            return this;
        }

        /**
         * The name of the ValidatingWebhookConfiguration and the MutatingWebhookConfiguration that the operator writes;
         * null to leave them to others. Default: null.
         */
        public @Nullable String managed() {
            return values.get(SettingTable.ADMISSION_MANAGED);
        }

        /** Sets {@link #managed()}. */
        public Admission managed(@Nullable String value) {
            values.set(SettingTable.ADMISSION_MANAGED, value);
            return this;
        }

        /**
         * Whether the operator writes into the custom resource definitions that it has conversions for
         * (`spec.conversion`) where they are asked for; they stay there when it ends. Default: {@code false}.
         */
        public boolean managedConversions() {
            return values.get(SettingTable.ADMISSION_MANAGED_CONVERSIONS);
        }

        /** Sets {@link #managedConversions()}. */
        public Admission managedConversions(boolean value) {
            values.set(SettingTable.ADMISSION_MANAGED_CONVERSIONS, value);
            return this;
        }
    }

    /** How the children of objects are applied. */
    public static final class Children {
        private final SettingValues values;

        private Children(SettingValues values) {
            this.values = values;
        }

        /**
         * By which name children are applied and known again, in their managedFields and in their label
         * kopf4j.dev/managed-by; two operators for children of the same objects need two names. Default:
         * {@code kopf4j}.
         */
        public String fieldManager() {
            return values.get(SettingTable.CHILDREN_FIELD_MANAGER);
        }

        /** Sets {@link #fieldManager()}. */
        public Children fieldManager(String value) {
            values.set(SettingTable.CHILDREN_FIELD_MANAGER, value);
            return this;
        }
    }
}
