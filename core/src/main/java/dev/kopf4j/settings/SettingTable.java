package dev.kopf4j.settings;

import dev.kopf4j.DiffBaseStorage;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.ProgressStorage;
import dev.kopf4j.SettingException;
import dev.kopf4j.settings.SettingTypes.ChoiceTypes;
import dev.kopf4j.settings.SettingTypes.SettingType;
import dev.kopf4j.text.NearestWord;
import dev.kopf4j.webhook.WebhookServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * All settings: the one place that says what there is. The build makes {@code OperatorSettings}, its accessors and
 * their Javadoc, of these rows, which it reads as text ({@code core/src/build/java/WriteOperatorSettings.java}), so
 * their texts are literals, defaults included; configuration files, the environment, the command {@code kopf4j config}
 * and the documentation read them at run time. Immutable.
 */
public final class SettingTable {
    private static final List<SettingRow<?>> FOUND = new ArrayList<>();

    public static final SettingRow<String> OPERATOR_NAME = add(
            "operator.name",
            SettingTypes.name(),
            "kopf4j",
            "The name by which this operator is told from others, the same for all its replicas: that of its lease and of its children's field manager, unless leaderElection.leaseName or children.fieldManager name another one. Each operator needs its own; give it before the first object, and keep it.");
    public static final SettingRow<@Nullable Duration> PROCESS_ULTIMATE_EXITING_TIMEOUT = add(
            "process.ultimateExitingTimeout",
            SettingTypes.optionalDuration(),
            "10m",
            "How long the operator may take to stop before the process is ended by force, with exit code 137; null for ever. Only the command line does so: an application that embeds an operator is never ended.");
    public static final SettingRow<Boolean> POSTING_ENABLED =
            add("posting.enabled", SettingTypes.flag(), "true", "Whether Kubernetes events are posted at all.");
    public static final SettingRow<Boolean> POSTING_LOGGERS = add(
            "posting.loggers",
            SettingTypes.flag(),
            "false",
            "Whether what handlers log is posted as Kubernetes events, too.");
    public static final SettingRow<Level> POSTING_LEVEL = add(
            "posting.level",
            ChoiceTypes.level(),
            "info",
            "From which level on messages and events are posted: INFO for normal ones, WARN, ERROR.");
    public static final SettingRow<String> POSTING_REPORTING_COMPONENT =
            add("posting.reportingComponent", SettingTypes.text(), "kopf", "Who the events say has reported them.");
    public static final SettingRow<String> POSTING_REPORTING_INSTANCE = add(
            "posting.reportingInstance",
            SettingTypes.text(),
            "dev",
            "Which instance the events say has reported them.");
    public static final SettingRow<String> POSTING_EVENT_NAME_PREFIX = add(
            "posting.eventNamePrefix", SettingTypes.text(), "kopf-event-", "How the generated names of events begin.");
    public static final SettingRow<Duration> POSTING_AGGREGATION = add(
            "posting.aggregation",
            SettingTypes.duration(),
            "10m",
            "How long an event is remembered, so that the same one of the same object is counted there instead of being posted again; zero to post each one.");
    public static final SettingRow<Integer> POSTING_QUEUE_LIMIT = add(
            "posting.queueLimit",
            SettingTypes.number(1),
            "1000",
            "How many events may wait to be posted; further ones are dropped, and their number is logged.");
    public static final SettingRow<String> PEERING_NAME = add(
            "peering.name", SettingTypes.objectName(), "default", "The name of the peering objects that are joined.");
    public static final SettingRow<Boolean> PEERING_STEALTH =
            add("peering.stealth", SettingTypes.flag(), "false", "True for no log lines about keep-alives.");
    public static final SettingRow<Long> PEERING_PRIORITY = add(
            "peering.priority",
            SettingTypes.longNumber(),
            "0",
            "The priority of this operator; it pauses as long as there is one with a higher or the same priority.");
    public static final SettingRow<Duration> PEERING_LIFETIME = add(
            "peering.lifetime",
            SettingTypes.durationFrom(Duration.ofSeconds(2)),
            "1m",
            "For how long others believe that this operator lives if it is no longer heard; in whole seconds.");
    public static final SettingRow<Boolean> PEERING_MANDATORY = add(
            "peering.mandatory",
            SettingTypes.flag(),
            "false",
            "True to be paused as long as there is no peering object.");
    public static final SettingRow<Boolean> PEERING_STANDALONE = add(
            "peering.standalone",
            SettingTypes.flag(),
            "false",
            "True to neither look for other operators nor be seen by them.");
    public static final SettingRow<Boolean> PEERING_CLUSTERWIDE = add(
            "peering.clusterwide",
            SettingTypes.flag(),
            "false",
            "Whether the peering objects are those of the cluster, rather than of namespaces. Set by the operator when it starts.");
    public static final SettingRow<@Nullable String> PEERING_IDENTITY = add(
            "peering.identity",
            SettingTypes.optionalText(),
            "none",
            "What the operator calls itself; null for $POD_ID or a generated name.");
    public static final SettingRow<Boolean> LEADERELECTION_ENABLED = add(
            "leaderElection.enabled",
            SettingTypes.flag(),
            "false",
            "True to act only while this replica holds the lease.");
    public static final SettingRow<String> LEADERELECTION_LEASE_NAME = add(
            "leaderElection.leaseName",
            SettingTypes.objectName(),
            "kopf4j",
            "The name of the lease, the same for all replicas of an operator and different for each operator. As long as it is not set, it is operator.name.",
            OPERATOR_NAME);
    public static final SettingRow<@Nullable String> LEADERELECTION_LEASE_NAMESPACE = add(
            "leaderElection.leaseNamespace",
            SettingTypes.optional(SettingTypes.namespace()),
            "none",
            "The namespace of the lease; null for that of the credentials.");
    public static final SettingRow<@Nullable String> LEADERELECTION_IDENTITY = add(
            "leaderElection.identity",
            SettingTypes.optionalText(),
            "none",
            "What the replica calls itself, completed by a part of chance; null for the name of the host.");
    public static final SettingRow<Duration> LEADERELECTION_LEASE_DURATION = add(
            "leaderElection.leaseDuration",
            SettingTypes.duration(" from 1s", Duration.ofSeconds(1), Duration.ofSeconds(Integer.MAX_VALUE)),
            "15s",
            "How long the other replicas wait without a renewal until they take over; whole seconds.");
    public static final SettingRow<Duration> LEADERELECTION_RENEW_DEADLINE = add(
            "leaderElection.renewDeadline",
            SettingTypes.positiveDuration(),
            "10s",
            "How long the leader goes on without a renewal until it steps down; shorter than the lease.");
    public static final SettingRow<Duration> LEADERELECTION_RETRY_PERIOD = add(
            "leaderElection.retryPeriod",
            SettingTypes.durationFrom(Duration.ofMillis(100)),
            "2s",
            "The time between two attempts to take or to renew the lease.");
    public static final SettingRow<@Nullable Integer> SHARDING_SHARDS = add(
            "sharding.shards",
            SettingTypes.optional(SettingTypes.number(1, 1024)),
            "none",
            "Into how many shards the objects fall, of which each replica acts on a part; null to share them with nobody. The group and its leases are named and timed as the leaderElection settings say.");
    public static final SettingRow<@Nullable Duration> WATCHING_SERVER_TIMEOUT = add(
            "watching.serverTimeout",
            SettingTypes.optionalDuration(),
            "none",
            "After what time the server is asked to end a stream; null for a random time of 4 to 8 minutes.");
    public static final SettingRow<@Nullable Duration> WATCHING_CLIENT_TIMEOUT = add(
            "watching.clientTimeout",
            SettingTypes.optionalDuration(),
            "none",
            "After what time a stream is opened anew in any case; null for never.");
    public static final SettingRow<@Nullable Duration> WATCHING_CONNECT_TIMEOUT = add(
            "watching.connectTimeout",
            SettingTypes.optionalDuration(),
            "none",
            "How long opening a stream may take; null for networking.connectTimeout.");
    public static final SettingRow<Duration> WATCHING_RECONNECT_BACKOFF = add(
            "watching.reconnectBackoff",
            SettingTypes.duration(),
            "100ms",
            "The pause before a stream is opened again; it grows while that fails.");
    public static final SettingRow<Duration> WATCHING_INACTIVITY_TIMEOUT = add(
            "watching.inactivityTimeout",
            SettingTypes.positiveDuration(),
            "1m10s",
            "A stream in which nothing has arrived for so long is opened anew.");
    public static final SettingRow<Integer> WATCHING_PAGE_SIZE =
            add("watching.pageSize", SettingTypes.number(1), "500", "How many objects are listed with one request.");
    public static final SettingRow<Boolean> WATCHING_STREAMED_LISTS = add(
            "watching.streamedLists",
            SettingTypes.flag(),
            "false",
            "True to get lists as the beginning of a stream where the server offers it (feature WatchList: on by default in Kubernetes 1.32 and since 1.34); else, page by page.");
    public static final SettingRow<@Nullable Duration> WATCHING_RESYNC_INTERVAL = add(
            "watching.resyncInterval",
            SettingTypes.optionalDuration(),
            "none",
            "After what time all watched objects are listed again though nothing is wrong, a tenth sooner or later; null for never. Rarely needed: streams that miss something list anew by themselves.");
    public static final SettingRow<@Nullable Integer> QUEUEING_WORKER_LIMIT = add(
            "queueing.workerLimit",
            SettingTypes.optionalNumber(1),
            "none",
            "How many objects of a resource are processed at a time, in all watched namespaces together, those in long waits included; further ones wait, the urgent ones first. Null for no limit, as in Kopf: an object whose handler takes long is held in memory with its threads, some 25 KB for a small one, and is not counted by queueing.workersAtWork.");
    public static final SettingRow<@Nullable Integer> QUEUEING_WORKER_LIMIT_PER_NAMESPACE = add(
            "queueing.workerLimitPerNamespace",
            SettingTypes.optionalNumber(1),
            "none",
            "How many objects of one resource in one namespace are processed at a time, those in long waits included, so that one namespace does not take all workers; null for no such limit.");
    public static final SettingRow<Integer> QUEUEING_WORKERS_AT_WORK = add(
            "queueing.workersAtWork",
            SettingTypes.number(1),
            "40",
            "How many objects of a resource are processed at a time, in all watched namespaces together, those aside whose handlers run for long: enough to have all permitted requests in flight. More of them would only fill the memory.");
    public static final SettingRow<Integer> QUEUEING_BACKLOG_LIMIT = add(
            "queueing.backlogLimit",
            SettingTypes.number(1),
            "200",
            "How many objects of a stream may have unprocessed events; then the stream waits. Listed objects are counted apart from changes, which do not wait for them.");
    public static final SettingRow<Integer> QUEUEING_EVENT_BACKLOG_LIMIT = add(
            "queueing.eventBacklogLimit",
            SettingTypes.number(1),
            "100",
            "How many raw events of one object may wait for its event handlers; then the stream waits.");
    public static final SettingRow<Duration> QUEUEING_EXIT_TIMEOUT = add(
            "queueing.exitTimeout",
            SettingTypes.duration(),
            "2s",
            "How long running work may take to end when a stream is stopped.");
    public static final SettingRow<Iterable<Duration>> QUEUEING_ERROR_DELAYS = add(
            "queueing.errorDelays",
            SettingTypes.durations(),
            "1s,1s,2s,3s,5s,8s,13s,21s,34s,55s,1m29s,2m24s,3m53s,6m17s,10m10s",
            "The growing pauses of an object after errors of the framework or the API; the last one repeats. In code also without an end.");
    public static final SettingRow<Boolean> SCANNING_DISABLED = add(
            "scanning.disabled",
            SettingTypes.flag(),
            "false",
            "True to look at the cluster once, at the start, and not to watch for new resources and namespaces: for operators that may not do so. Namespaces are then those given by their names.");
    public static final SettingRow<Boolean> SCANNING_OPTIONAL_RESOURCES = add(
            "scanning.optionalResources",
            SettingTypes.flag(),
            "false",
            "True if the operator is ready (/ready) although the cluster does not serve a resource that a handler names: for handlers of what some clusters only have.");
    public static final SettingRow<HandlerLifecycle> EXECUTION_LIFECYCLE = add(
            "execution.lifecycle",
            ChoiceTypes.lifecycle(),
            "inOrder",
            "Which of the due handlers of an object are called in one cycle.");
    public static final SettingRow<Duration> EXECUTION_CHECKPOINT = add(
            "execution.checkpoint",
            SettingTypes.duration(),
            "50ms",
            "How long a success may stay unwritten while the next handlers of the cycle run; zero to write after each handler.");
    public static final SettingRow<Integer> EXECUTION_TURNS = add(
            "execution.turns",
            SettingTypes.number(1),
            "4",
            "How many objects are at a time in the middle of calling several handlers, but for slow ones: one PATCH then"
                    + " writes what all quick handlers of an object have done.");
    public static final SettingRow<Duration> EXECUTION_DEFAULT_BACKOFF = add(
            "execution.defaultBackoff",
            SettingTypes.duration(),
            "1m",
            "The pause after an arbitrary exception where the handler has no backoff of its own.");
    public static final SettingRow<Duration> EXECUTION_INTERRUPT_GRACE = add(
            "execution.interruptGrace",
            SettingTypes.duration(),
            "10s",
            "How long an interrupted handler may take to end before it is left behind.");
    public static final SettingRow<@Nullable Integer> EXECUTION_MAX_WORKERS = add(
            "execution.maxWorkers",
            SettingTypes.optionalNumber(1),
            "none",
            "How many handlers run at a time, over all objects; further ones wait in order. Null for no limit. Sub-handlers, timers, daemons, index functions and webhooks are not counted.");
    public static final SettingRow<Boolean> EXECUTION_PAUSE_AND_RETRY = add(
            "execution.pauseAndRetry",
            SettingTypes.flag(),
            "true",
            "Whether people may pause an object, and have its handlers called again, by the annotations `paused` and `retry` below the prefix.");
    public static final SettingRow<Duration> BACKGROUND_CANCELLATION_POLLING = add(
            "background.cancellationPolling",
            SettingTypes.durationFrom(Duration.ofMillis(1)),
            "1m",
            "How often a daemon that does not stop is looked after.");
    public static final SettingRow<@Nullable Duration> BACKGROUND_INSTANT_EXIT_TIMEOUT = add(
            "background.instantExitTimeout",
            SettingTypes.optionalDurationOrZero(),
            "none",
            "How long an object's worker waits for daemons that stop at once; after that, the object waits for them in cycles of its own. Zero for not at all, null for 10 ms.");
    public static final SettingRow<Duration> NETWORKING_REQUEST_TIMEOUT =
            add("networking.requestTimeout", SettingTypes.positiveDuration(), "5m", "How long one request may take.");
    public static final SettingRow<Duration> NETWORKING_OBJECT_TIMEOUT = add(
            "networking.objectTimeout",
            SettingTypes.positiveDuration(),
            "1m10s",
            "How long one request may take that is no list, if that is less than networking.requestTimeout. API servers give up after 60 s, unless their --request-timeout is another.");
    public static final SettingRow<@Nullable Duration> NETWORKING_CONNECT_TIMEOUT = add(
            "networking.connectTimeout",
            SettingTypes.optionalDuration(),
            "none",
            "How long connecting may take; null for as long as the request may take.");
    public static final SettingRow<Iterable<Duration>> NETWORKING_ERROR_BACKOFFS = add(
            "networking.errorBackoffs",
            SettingTypes.durations(),
            "1s,1s,2s,3s,5s,8s,13s,21s",
            "The pauses between the attempts of one request; empty for one attempt; in code also without an end.");
    public static final SettingRow<Boolean> NETWORKING_ENFORCE_RETRY_AFTER = add(
            "networking.enforceRetryAfter",
            SettingTypes.flag(),
            "false",
            "True to take the server's hint how long to wait even where it is shorter than the pause.");
    public static final SettingRow<Boolean> NETWORKING_TRUST_ENV = add(
            "networking.trustEnv",
            SettingTypes.flag(),
            "false",
            "Whether the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment name the proxies, and the file ~/.netrc (or $NETRC) has passwords for them, and for servers without any other credential.");
    public static final SettingRow<Integer> NETWORKING_REQUESTS_IN_FLIGHT = add(
            "networking.requestsInFlight",
            SettingTypes.number(1),
            "32",
            "How many requests are under way at a time, streams, leases and peering aside; further ones wait.");
    public static final SettingRow<String> PERSISTENCE_FINALIZER = add(
            "persistence.finalizer",
            SettingTypes.qualifiedName(),
            "kopf.zalando.org/KopfFinalizerMarker",
            "The finalizer that holds objects for deletion handlers. Keep it: objects that have one of another name are not released by the operator.");
    public static final SettingRow<String> PERSISTENCE_PREFIX =
            add("persistence.prefix", SettingTypes.text(), "kopf.zalando.org", "The prefix of all annotations.");
    public static final SettingRow<ProgressStorage> PERSISTENCE_PROGRESS_STORAGE = add(
            "persistence.progressStorage",
            ChoiceTypes.progressStorage(),
            "smart",
            "Where the progress of handlers is remembered.");
    public static final SettingRow<DiffBaseStorage> PERSISTENCE_DIFF_BASE_STORAGE = add(
            "persistence.diffBaseStorage",
            ChoiceTypes.diffBaseStorage(),
            "annotations",
            "Where last-handled states are remembered.");
    public static final SettingRow<Duration> PERSISTENCE_CONSISTENCY_TIMEOUT = add(
            "persistence.consistencyTimeout",
            SettingTypes.duration(),
            "5s",
            "How long an object's handlers wait to see the operator's own last change; zero for not at all.");
    public static final SettingRow<Boolean> PERSISTENCE_FAILURES = add(
            "persistence.failures",
            SettingTypes.flag(),
            "false",
            "Whether handlers that have failed for good are remembered on the object, in the annotation `failed-handlers` that Kopf does not have, when the change counts as handled; otherwise the operator knows them until it ends.");

    public static final SettingRow<@Nullable WebhookServer> ADMISSION_SERVER = add(
            "admission.server",
            ChoiceTypes.webhookServer(),
            "none",
            "Where the API server's questions for admission handlers and conversions are received; null if there are none.");
    public static final SettingRow<@Nullable String> ADMISSION_MANAGED = add(
            "admission.managed",
            SettingTypes.optionalText(),
            "none",
            "The name of the ValidatingWebhookConfiguration and the MutatingWebhookConfiguration that the operator writes; null to leave them to others. No other operator may have the same name: each would take away the webhooks of the other.");

    public static final SettingRow<Boolean> ADMISSION_MANAGED_CONVERSIONS = add(
            "admission.managedConversions",
            SettingTypes.flag(),
            "false",
            "Whether the operator writes into the custom resource definitions that it has conversions for (`spec.conversion`) where they are asked for; they stay there when it ends.");
    public static final SettingRow<String> CHILDREN_FIELD_MANAGER = add(
            "children.fieldManager",
            SettingTypes.labelValue(),
            "kopf4j",
            "By which name children are applied and known again, in their managedFields and in their label kopf4j.dev/managed-by; two operators for children of the same objects need two names. As long as it is not set, it is operator.name. Keep it: children that were applied by another name are left alone, unless force = true takes them.",
            OPERATOR_NAME);

    public static final SettingRow<Integer> RECORDER_MEMORY = add(
            "recorder.memory",
            SettingTypes.number(0, 1_048_576),
            "4",
            "How many megabytes of memory the record of the operator's last steps may take, for `kopf4j history`; 0 to record nothing.");
    public static final SettingRow<@Nullable String> RECORDER_FOLDER = add(
            "recorder.folder",
            SettingTypes.optionalText(),
            "none",
            "The folder into which the record is written, too, for longer than the memory has room; null for none. Each operator needs its own.");
    public static final SettingRow<Integer> RECORDER_FOLDER_LIMIT = add(
            "recorder.folderLimit",
            SettingTypes.number(1),
            "100",
            "How many megabytes the files of the record may take; the oldest are deleted.");
    public static final SettingRow<Boolean> RECORDER_VALUES = add(
            "recorder.values",
            SettingTypes.flag(),
            "false",
            "Whether values and bodies are recorded, too, rather than the paths of fields alone; those of Secrets never are.");
    public static final SettingRow<@Nullable Integer> CONSOLE_PORT = add(
            "console.port",
            SettingTypes.optional(SettingTypes.number(0, 65_535)),
            "none",
            "The port of this machine's or pod's loopback interface at which the console is, a page that shows the operator at work; 0 for any free one, null for no console.");

    /** All of them, in the order of the documentation. */
    public static final List<SettingRow<?>> ALL = Collections.unmodifiableList(FOUND);

    /** The groups of settings, in the order of the documentation. */
    public static final List<SettingGroup> GROUPS = List.of(
            new SettingGroup("operator", "Operator", "What the operator is called."),
            new SettingGroup("process", "Exiting", "How the process ends."),
            new SettingGroup("posting", "Posting", "How Kubernetes events are posted."),
            new SettingGroup("peering", "Peering", "How operators for the same objects get along with each other."),
            new SettingGroup(
                    "leaderElection",
                    "LeaderElection",
                    "How one of several replicas is chosen to act: by a Lease. The others stand by."),
            new SettingGroup(
                    "sharding", "Sharding", "How several replicas share the objects, so that all of them act."),
            new SettingGroup("watching", "Watching", "How changes are watched."),
            new SettingGroup("queueing", "Queueing", "How events wait for their processing."),
            new SettingGroup("scanning", "Scanning", "How the cluster is looked at."),
            new SettingGroup("execution", "Execution", "How handlers are called."),
            new SettingGroup("background", "Background", "How daemons and timers are stopped."),
            new SettingGroup("networking", "Networking", "How requests are made."),
            new SettingGroup(
                    "persistence", "Persistence", "How progress and last-handled states are stored on the objects."),
            new SettingGroup("admission", "Admission", "How admission handlers and conversions are reached."),
            new SettingGroup("children", "Children", "How the children of objects are applied."),
            new SettingGroup("recorder", "Recorder", "What is recorded of the operator's work."),
            new SettingGroup("console", "Console", "Where the operator can be seen at work."));

    /** What Kopf has, and this framework has no use for. */
    private static final Map<String, String> DROPPED = Map.of(
            "queueing.idleTimeout", "objects without work have no worker here that could be idle",
            "queueing.batchWindow", "events are not held back to form batches",
            "batching", "the group is called queueing",
            "execution.executor", "handlers run on virtual threads; limit them by execution.maxWorkers",
            "background.instantExitZeroTimeCycles", "there is no event loop to count the cycles of");

    private SettingTable() {}

    private static <T extends @Nullable Object> SettingRow<T> add(
            String name, SettingType<T> type, String defaultText, String description) {
        return add(name, type, defaultText, description, null);
    }

    private static <T extends @Nullable Object> SettingRow<T> add(
            String name,
            SettingType<T> type,
            String defaultText,
            String description,
            @Nullable SettingRow<T> followed) {
        SettingRow<T> setting =
                new SettingRow<>(FOUND.size(), name, type, type.parse(defaultText), description, followed);
        FOUND.add(setting);
        return setting;
    }

    /** True if settings are called {@code name.something}. */
    static boolean isGroup(String name) {
        return ALL.stream().anyMatch(setting -> setting.name().startsWith(name + "."));
    }

    /**
     * The setting of that name; words may be joined in any way ({@code defaultBackoff}, {@code default_backoff}).
     *
     * @throws SettingException if there is none, naming the one that was probably meant
     */
    static SettingRow<?> find(String name) {
        return find(name, name, SettingRow::name);
    }

    /**
     * The same, for names that are written in another way.
     *
     * @param written the whole name as it was given, for the message
     * @param form how that way writes the name of a setting
     */
    static SettingRow<?> find(String name, String written, Function<SettingRow<?>, String> form) {
        String wanted = SettingRow.flat(name);
        return ALL.stream()
                .filter(setting -> SettingRow.flat(setting.name()).equals(wanted))
                .findFirst()
                .orElseThrow(() -> unknown(wanted, written, form));
    }

    private static SettingException unknown(String wanted, String written, Function<SettingRow<?>, String> form) {
        for (Map.Entry<String, String> dropped : DROPPED.entrySet()) {
            if (wanted.startsWith(SettingRow.flat(dropped.getKey()))) {
                return new SettingException(
                        "there is no setting '" + written + "': " + dropped.getValue() + "; remove it");
            }
        }
        String nearest = NearestWord.of(wanted, ALL, setting -> SettingRow.flat(setting.name()))
                .map(form)
                .orElseThrow();
        return new SettingException("there is no setting '" + written + "'; did you mean '" + nearest
                + "'? All settings are listed by `kopf4j config`");
    }

    /**
     * A group of settings. Immutable.
     *
     * @param name the first part of the names of its settings, and the name of its accessor
     * @param type the simple name of its class in {@code OperatorSettings}
     * @param description what it is about, in a sentence
     */
    record SettingGroup(String name, String type, String description) {}
}
