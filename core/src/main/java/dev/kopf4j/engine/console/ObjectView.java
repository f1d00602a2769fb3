package dev.kopf4j.engine.console;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.children.LiveChild;
import dev.kopf4j.engine.console.NotedObjects.Trouble;
import dev.kopf4j.engine.cycle.HandlerOutlook;
import dev.kopf4j.engine.cycle.HandlerOutlook.Verdict;
import dev.kopf4j.engine.cycle.OutlookWords;
import dev.kopf4j.engine.cycle.Outlooks;
import dev.kopf4j.engine.cycle.Outlooks.Circumstances;
import dev.kopf4j.engine.cycle.Outlooks.ObjectOutlook;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.object.ObjectReference;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is known of one object, as JSON: what each handler would do for it now and why, what only the memory of the
 * operator knows, its children. The object is read from the server; nothing of its spec, status and labels is told.
 * Immutable.
 *
 * @param engine knows the object
 * @param outlooks decide as cycles do
 */
record ObjectView(RunningEngine engine, Outlooks outlooks) {
    private static final int CHILDREN_MAX = 500;

    /**
     * Tells of an object.
     *
     * @param troubles the handlers that have not succeeded with their last calls
     */
    void tell(
            Resource resource,
            ObjectReference reference,
            String uid,
            Map<String, Trouble> troubles,
            Instant now,
            ObjectNode into)
            throws InterruptedException {
        boolean secret = LoggedContent.isSecret(resource);
        engine.recall(uid).ifPresent(memory -> into.set("memory", secret ? withoutMessages(memory) : memory));
        children(engine.children(uid), into);
        try {
            Optional<ObjectNode> body = engine.read(resource, reference.namespace(), String.valueOf(reference.name()));
            into.put("exists", body.isPresent());
            if (body.isPresent()) {
                metadata(body.get().path("metadata"), into.putObject("metadata"));
                why(outlooks.of(resource, body.get(), Circumstances.running(now)), secret, troubles, now, into);
            }
        } catch (ClientException e) {
            into.put("unreadable", String.valueOf(e.getMessage()));
        }
    }

    /** Exceptions of handlers may quote what is in a Secret. */
    private static ObjectNode withoutMessages(ObjectNode memory) {
        ObjectNode told = memory.deepCopy();
        told.path("running").values().forEach(each -> ((ObjectNode) each).remove("message"));
        if (told.path("children") instanceof ObjectNode children) {
            children.remove("failures");
        }
        return told;
    }

    private static void metadata(JsonNode metadata, ObjectNode into) {
        for (String key : List.of("creationTimestamp", "deletionTimestamp", "resourceVersion", "generation")) {
            if (metadata.has(key)) {
                into.set(key, metadata.get(key));
            }
        }
        metadata.path("finalizers").values().forEach(into.putArray("finalizers")::add);
        ArrayNode owners = into.putArray("owners");
        for (JsonNode owner : metadata.path("ownerReferences").values()) {
            owners.addObject()
                    .put("kind", owner.path("kind").asString(""))
                    .put("name", owner.path("name").asString(""))
                    .put("uid", owner.path("uid").asString(""));
        }
    }

    private static void why(
            ObjectOutlook outlook, boolean secret, Map<String, Trouble> troubles, Instant now, ObjectNode into) {
        into.put("why", OutlookWords.state(outlook, false));
        OutlookWords.finalizer(outlook).ifPresent(words -> into.put("finalizer", words));
        if (outlook.retry() != null) {
            into.put("retryAsked", outlook.retry().token());
        }
        ArrayNode handlers = into.putArray("handlers");
        for (HandlerOutlook each : outlook.handlers()) {
            ObjectNode told = handlers.addObject();
            Verdict known = remembered(each, troubles.get(each.id()));
            Verdict verdict = secret ? withoutMessage(known) : known;
            told.put("id", each.id()).put("kind", each.kind().name().toLowerCase(Locale.ROOT));
            if (each.parent() != null) {
                told.put("parent", each.parent());
            }
            told.put("verdict", OutlookWords.word(verdict)).put("words", OutlookWords.words(verdict, false, now));
            if (verdict instanceof HandlerOutlook.Waits waits) {
                told.put("next", waits.until().toString()).put("attempt", waits.attempt());
            }
        }
    }

    /** The object does not tell that a handler has failed for good: its change counts as handled. */
    private static Verdict remembered(HandlerOutlook outlook, @Nullable Trouble trouble) {
        boolean concluded =
                outlook.verdict() instanceof HandlerOutlook.WrongCause(var reason, var _) && reason == Reason.NOOP;
        return concluded
                        && trouble != null
                        && trouble.outcome() == HandlerCall.Outcome.PERMANENT
                        && trouble.kind() == outlook.kind()
                ? new HandlerOutlook.Failed(
                        trouble.at().truncatedTo(ChronoUnit.SECONDS).toString(), trouble.message())
                : outlook.verdict();
    }

    private static Verdict withoutMessage(Verdict verdict) {
        return switch (verdict) {
            case HandlerOutlook.Waits(var until, int attempt, var most, var _) ->
                new HandlerOutlook.Waits(until, attempt, most, null);
            case HandlerOutlook.Failed(String at, var _) -> new HandlerOutlook.Failed(at, "");
            default -> verdict;
        };
    }

    private static void children(List<LiveChild> all, ObjectNode into) {
        into.put("childrenCount", all.size());
        ArrayNode children = into.putArray("children");
        for (LiveChild child : all.subList(0, Math.min(all.size(), CHILDREN_MAX))) {
            child.tell(children.addObject());
        }
    }
}
