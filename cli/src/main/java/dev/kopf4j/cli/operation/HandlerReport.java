package dev.kopf4j.cli.operation;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Reason;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.cycle.HandlerOutlook;
import dev.kopf4j.engine.cycle.HandlerOutlook.Occasion;
import dev.kopf4j.engine.cycle.HandlerOutlook.Verdict;
import dev.kopf4j.engine.cycle.ObjectOutlook;
import dev.kopf4j.engine.cycle.Outlooks;
import dev.kopf4j.engine.cycle.Outlooks.Circumstances;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.intervention.Interventions.Pause;
import dev.kopf4j.engine.orchestration.WatchPlan.PlannedStream;
import dev.kopf4j.engine.rights.RequiredRule;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import dev.kopf4j.engine.rights.RightsPlan.RightsReview;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.TextShortener;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells what each handler of an operator would do for one object now, in words and as JSON. It only reads; that no
 * right is missing is asked if that is wanted, since the question is a request that creates nothing but an answer.
 * Immutable.
 */
public final class HandlerReport {
    private static final String APPLIED = "kopf4j.dev/applied";
    private static final int FIELDS_MAX = 5;

    private final ClusterSurvey survey;
    private final ClusterSurvey.Found found;
    private final NamedObject object;
    private final @Nullable String handler;
    private final @Nullable String missingRight;

    private HandlerReport(
            ClusterSurvey survey,
            ClusterSurvey.Found found,
            NamedObject object,
            @Nullable String handler,
            @Nullable String missingRight) {
        this.survey = survey;
        this.found = found;
        this.object = object;
        this.handler = handler;
        this.missingRight = missingRight;
    }

    /**
     * A report of an object that may not exist.
     *
     * @param handler the id of the only handler to tell of; null for all
     * @param asksRights true to ask the server for rights that the account in use lacks
     */
    public static HandlerReport of(
            ClusterSurvey survey,
            ClusterSurvey.Found found,
            NamedObject object,
            @Nullable String handler,
            boolean asksRights)
            throws InterruptedException {
        String missing = null;
        if (asksRights) {
            RequiredRule rule =
                    RequiredRule.of(RightScope.of(object.namespace()), object.resource(), "", "list", "watch", "patch");
            List<String> all = new RightsReview(found.api()).missing(List.of(rule));
            missing = all.isEmpty() ? null : String.join("; ", all);
        }
        return new HandlerReport(survey, found, object, handler, missing);
    }

    /** Reads the object, and tells. */
    public Told read(Instant now) throws InterruptedException {
        return tell(object.read(found.api()), now);
    }

    /** Tells each time that the object has changed, until the watch ends; from the version on. */
    public void follow(String from, Platform platform, Listener listener) throws InterruptedException {
        KubernetesApi api = found.api();
        boolean _ = object.await(api, from, Deadline.NEVER, body -> {
            listener.told(tell(body, platform.now()));
            return false;
        });
    }

    /** Is told of each state of the object. */
    @FunctionalInterface
    public interface Listener {
        /** The object has come to another state. */
        void told(Told told) throws InterruptedException;
    }

    /** The version from which on changes are to be followed. */
    public String version() throws InterruptedException {
        return object.version(found.api());
    }

    /**
     * What is told.
     *
     * @param uid the object's; empty if it does not exist
     * @param lines in words
     * @param json the same for programs
     */
    public record Told(String uid, List<String> lines, ObjectNode json) {
        /** Copies the list. */
        public Told {
            lines = List.copyOf(lines);
        }

        /** With more of it at the end. */
        public Told and(List<String> words, String field, ObjectNode more) {
            ObjectNode all = json.deepCopy();
            all.set(field, more);
            return new Told(uid, Stream.concat(lines.stream(), words.stream()).toList(), all);
        }
    }

    private Told tell(Optional<ObjectNode> body, Instant now) {
        List<String> lines = new ArrayList<>();
        ObjectNode json = Json.object();
        json.put("object", object.toString());
        json.put("exists", body.isPresent());
        List<RegisteredHandler> handlers = survey.registry().handlers().stream()
                .filter(each -> each.declaration().selector().matches(object.resource()))
                .toList();
        if (body.isEmpty()) {
            lines.add(object + " does not exist (any more): no handler is called for it.");
        } else if (handlers.isEmpty()) {
            lines.add(object + ": no handler of this operator is for "
                    + object.resource().plural() + ".");
        } else {
            lines.addAll(tell(body.get(), handlers, json, now));
        }
        List<String> facts = body.map(this::facts).orElse(List.of());
        facts.forEach(json.putArray("facts")::add);
        lines.addAll(facts);
        String uid =
                body.map(each -> each.path("metadata").path("uid").asString("")).orElse("");
        return new Told(uid, lines, json);
    }

    private List<String> tell(ObjectNode body, List<RegisteredHandler> handlers, ObjectNode json, Instant now) {
        Circumstances circumstances = Circumstances.running(now);
        String unwatched = unwatched(handlers);
        circumstances = unwatched == null ? circumstances : circumstances.unwatched(unwatched);
        circumstances = missingRight == null ? circumstances : circumstances.missingRight(missingRight);
        ObjectOutlook outlook =
                new Outlooks(survey.settings(), survey.registry()).of(object.resource(), body, circumstances);
        boolean shows = !Outlooks.hidesValues(object.resource());
        List<String> lines = new ArrayList<>();
        String state = state(outlook, shows);
        lines.add(object + ": " + state);
        json.put("state", state).put("reason", outlook.reason().word()).put("finalizer", word(outlook.finalizer()));
        finalizer(outlook).ifPresent(lines::add);
        if (outlook.retry() != null) {
            lines.add("  a retry was asked for (token '" + outlook.retry().token() + "'), and is followed first");
            json.put("retry", outlook.retry().token());
        }
        var all = json.putArray("handlers");
        boolean any = false;
        for (HandlerOutlook each : outlook.handlers()) {
            if (handler == null || each.id().equals(handler) || handler.equals(each.parent())) {
                any = true;
                String words = words(each.verdict(), shows, now);
                lines.add((each.parent() == null ? "  " : "    ") + each.kind().annotation() + " '" + each.id() + "': "
                        + words);
                ObjectNode one = all.addObject();
                one.put("id", each.id()).put("kind", each.kind().name().toLowerCase(Locale.ROOT));
                if (each.parent() != null) {
                    one.put("parent", each.parent());
                }
                one.put("verdict", word(each.verdict())).put("words", words);
            }
        }
        if (!any) {
            lines.add("  no handler for it has the id '" + handler + "'; there are: "
                    + outlook.handlers().stream()
                            .map(HandlerOutlook::id)
                            .distinct()
                            .collect(Collectors.joining(", ")));
        }
        return lines;
    }

    /** Why the operator does not watch the object; null if it does. */
    private @Nullable String unwatched(List<RegisteredHandler> handlers) {
        List<PlannedStream> streams = survey.watchPlan().streams(found.served(), found.namespaces());
        List<PlannedStream> ofKind = streams.stream()
                .filter(stream -> stream.resource()
                                .plural()
                                .equals(object.resource().plural())
                        && stream.resource().group().equals(object.resource().group()))
                .filter(stream -> stream.handlers().stream().anyMatch(handlers::contains))
                .toList();
        boolean watched = ofKind.stream()
                .anyMatch(
                        stream -> stream.namespace() == null || Objects.equals(stream.namespace(), object.namespace()));
        if (watched || handlers.stream().allMatch(each -> each.kind().isAdmission())) {
            return null;
        }
        return ofKind.isEmpty()
                ? "the operator watches no " + object.resource().plural() + " in this cluster"
                : "the operator watches "
                        + ofKind.stream().map(PlannedStream::title).sorted().collect(Collectors.joining(", "))
                        + ", and the object is in '" + object.namespace() + "'";
    }

    private String state(ObjectOutlook outlook, boolean shows) {
        if (outlook.pause() == Pause.ALL) {
            return "it is paused, its deletion, too.";
        }
        if (outlook.pause() == Pause.HANDLERS) {
            return "it is paused" + (isDeletion(outlook.reason()) ? ", but its deletion goes on." : ".");
        }
        return switch (outlook.reason()) {
            case CREATE -> "it was not handled before: its creation is to be handled.";
            case UPDATE ->
                "it has changed since it was handled: "
                        + changes(outlook.change().diff(), shows) + ".";
            case DELETE -> "it is being deleted, and held by this operator's finalizer.";
            case FREE -> "it is being deleted, and this operator has nothing to do with that any more.";
            case RESUME, NOOP, GONE -> "it was handled as it is: nothing that matters has changed since.";
        };
    }

    private static boolean isDeletion(Reason reason) {
        return reason == Reason.DELETE || reason == Reason.FREE;
    }

    private static String changes(JsonDiff diff, boolean shows) {
        List<String> items = diff.items().stream()
                .limit(FIELDS_MAX)
                .map(item ->
                        item.field() + (shows ? " from " + text(item.oldValue()) + " to " + text(item.newValue()) : ""))
                .toList();
        int more = diff.items().size() - items.size();
        return String.join(", ", items) + (more > 0 ? ", and " + more + " more" : "");
    }

    private static String text(@Nullable JsonNode value) {
        return value == null ? "nothing" : TextShortener.middle(Json.text(value), 80);
    }

    private static Optional<String> finalizer(ObjectOutlook outlook) {
        return switch (outlook.finalizer()) {
            case NONE, DEPENDS -> Optional.empty();
            case ADD -> Optional.of("  the operator's finalizer is missing, and is added first");
            case REMOVE -> Optional.of("  the operator's finalizer is not needed, and is removed first");
        };
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case HandlerOutlook.WouldRun _ -> "would-run";
            case HandlerOutlook.Done _ -> "done";
            case HandlerOutlook.Waits _ -> "waits";
            case HandlerOutlook.Failed _ -> "failed";
            case HandlerOutlook.WrongCause _ -> "wrong-cause";
            case HandlerOutlook.Mismatch _ -> "filter-mismatch";
            case HandlerOutlook.Paused _ -> "paused";
            case HandlerOutlook.NotWatched _ -> "not-watched";
            case HandlerOutlook.RightMissing _ -> "right-missing";
            case HandlerOutlook.DeletionHeld _ -> "deletion-held";
            case HandlerOutlook.Refused _ -> "refused";
            case HandlerOutlook.Depends _ -> "may-run";
        };
    }

    private static String words(Verdict verdict, boolean shows, Instant now) {
        return switch (verdict) {
            case HandlerOutlook.WouldRun run ->
                "would run now ("
                        + (run.occasion() == Occasion.RETRY
                                ? "a retry was asked for"
                                : run.reason().word())
                        + ")" + (run.attempt() > 1 ? ", " + attempt(run.attempt(), run.attemptsMax()) : "");
            case HandlerOutlook.Done(var at) -> "done" + (at == null ? "" : " at " + time(at));
            case HandlerOutlook.Waits waits ->
                "waits until " + time(waits.until()) + " (" + ChronoUnit.SECONDS.between(now, waits.until())
                        + " seconds from now), " + attempt(waits.attempt(), waits.attemptsMax())
                        + (waits.message() == null || waits.message().isEmpty() ? "" : ": " + waits.message());
            case HandlerOutlook.Failed(var at, var message) ->
                (at.isEmpty() ? "would fail for good now, without a call" : "failed for good at " + at)
                        + (message.isEmpty() ? "" : ": " + message);
            case HandlerOutlook.WrongCause(var _, var why) -> "wrong cause: " + why;
            case HandlerOutlook.Mismatch(var mismatch) -> mismatch.describe(shows);
            case HandlerOutlook.Paused(var pause) ->
                "paused by an annotation" + (pause == Pause.ALL ? ", as is the deletion" : "");
            case HandlerOutlook.NotWatched(var scope) -> "not watched: " + scope;
            case HandlerOutlook.RightMissing(var right) -> "the account in use has no right to " + right;
            case HandlerOutlook.DeletionHeld(var others) ->
                others.isEmpty()
                        ? "the deletion is done; the server removes the object"
                        : "finalizers of others hold the deletion: " + String.join(", ", others);
            case HandlerOutlook.Refused(var why) -> "the object is not handled: " + why;
            case HandlerOutlook.Depends(var on) -> "may run, depending on " + on;
        };
    }

    private static String attempt(int attempt, @Nullable Integer max) {
        return "attempt " + attempt + (max == null ? "" : " of " + max);
    }

    private static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    // What else is to be known of it.

    private List<String> facts(ObjectNode body) {
        List<String> facts = new ArrayList<>();
        for (JsonNode owner : body.path("metadata").path("ownerReferences").values()) {
            facts.add("  owned by " + owner.path("kind").asString("") + " "
                    + owner.path("name").asString(""));
        }
        List<RegisteredHandler> parents = survey.registry().ofChildren(object.resource());
        String applied = body.path("metadata").path("annotations").path(APPLIED).asString("");
        int colon = applied.lastIndexOf(':');
        if (colon > 0) {
            String id = applied.substring(0, colon);
            boolean known = parents.stream().anyMatch(each -> each.id().equals(id));
            facts.add("  made by the handler '" + id + "'" + (known ? "" : ", which this operator does not have"));
            facts.addAll(changedByOthers(body));
        } else if (!parents.isEmpty()) {
            facts.add("  not made by this operator: its handlers of children (" + ids(parents) + ") leave it alone");
        }
        return facts;
    }

    private static String ids(List<RegisteredHandler> handlers) {
        return handlers.stream()
                .filter(each -> each.kind() == HandlerKind.RECONCILE || each.kind() == HandlerKind.CHILD)
                .map(RegisteredHandler::id)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /**
     * The fields that others have set since the operator has applied the child: it is applied anew if they were its.
     */
    private List<String> changedByOthers(ObjectNode body) {
        String manager = survey.settings().children().fieldManager();
        JsonNode managed = body.path("metadata").path("managedFields");
        String since = managed.valueStream()
                .filter(each -> each.path("manager").asString("").equals(manager))
                .map(each -> each.path("time").asString(""))
                .max(String::compareTo)
                .orElse("");
        List<String> facts = new ArrayList<>();
        for (JsonNode entry : managed.values()) {
            boolean others = !entry.path("manager").asString("").equals(manager)
                    && !entry.has("subresource")
                    && entry.path("time").asString("").compareTo(since) >= 0;
            List<String> fields = new ArrayList<>();
            if (others) {
                leaves(entry.path("fieldsV1"), FieldPath.ROOT, fields);
            }
            if (!fields.isEmpty()) {
                facts.add("  would be applied anew if these fields were said otherwise, because "
                        + entry.path("manager").asString("") + " has set them at "
                        + entry.path("time").asString("") + ": "
                        + fields.stream().limit(FIELDS_MAX).collect(Collectors.joining(", ")));
            }
        }
        return facts;
    }

    private static void leaves(JsonNode fields, FieldPath at, List<String> found) {
        for (var entry : fields.properties()) {
            if (entry.getKey().startsWith("f:")) {
                FieldPath path = at.append(entry.getKey().substring(2));
                boolean inner = entry.getValue().propertyNames().stream().anyMatch(name -> name.startsWith("f:"));
                if (inner) {
                    leaves(entry.getValue(), path, found);
                } else {
                    found.add(path.toString());
                }
            }
        }
    }
}
