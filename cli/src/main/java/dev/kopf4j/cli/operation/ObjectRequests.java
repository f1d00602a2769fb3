package dev.kopf4j.cli.operation;

import dev.kopf4j.Resource;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.intervention.Interventions.Pause;
import dev.kopf4j.engine.intervention.Interventions.RetryRequest;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks operators something about objects, by annotations, and waits until they have acknowledged it. Only the
 * annotations are written: whoever asks needs the right to patch the objects, the operator needs none in addition.
 * Immutable.
 *
 * @param platform its time
 * @param api the way to the cluster
 */
public record ObjectRequests(Platform platform, KubernetesApi api) {
    private static final int PAGE = 500;

    /** What the object says to a request. */
    public enum Answer {
        /** The operator has acknowledged it. */
        ACKNOWLEDGED,
        /** No operator had acknowledged the pause that ends: nobody acknowledges its end. */
        NEEDS_NONE,
        /** The object is being deleted, and its deletion goes on: nobody acknowledges a pause without it. */
        DELETING,
        /** The object is paused, and the retry follows when it is not. */
        PAUSED,
        /** Somebody has asked for something else meanwhile. */
        OVERTAKEN,
        /** The object is gone, or another one has its name. */
        GONE,
        /** The time was over first. */
        LATE
    }

    /** Something that is asked about an object. */
    public sealed interface Request {
        /** Adds to the patch what is asked for. */
        void addTo(ObjectNode body, ObjectNode patch);

        /** What is known at once, by the object before it was asked for; null if it is to be waited for. */
        @Nullable Answer at(ObjectNode before);

        /** What the object says; null if that is nothing yet. */
        @Nullable Answer in(ObjectNode body);
    }

    /**
     * That the object is paused, or goes on.
     *
     * @param pause what of it is paused; {@link Pause#NONE} for its end
     */
    public record PauseRequest(Interventions interventions, Pause pause) implements Request {
        @Override
        public void addTo(ObjectNode body, ObjectNode patch) {
            interventions.ask(pause, body, patch);
        }

        @Override
        public @Nullable Answer at(ObjectNode before) {
            return pause == Pause.NONE && interventions.acknowledgedPause(before) == Pause.NONE
                    ? Answer.NEEDS_NONE
                    : null;
        }

        @Override
        public @Nullable Answer in(ObjectNode body) {
            if (interventions.pause(body) != pause) {
                return Answer.OVERTAKEN;
            }
            if (interventions.acknowledgedPause(body) == pause) {
                return Answer.ACKNOWLEDGED;
            }
            return pause == Pause.HANDLERS && !pause.holds(body) ? Answer.DELETING : null;
        }
    }

    /**
     * That handlers are called again.
     *
     * @param retry which ones
     */
    public record CallsAgain(Interventions interventions, RetryRequest retry) implements Request {
        @Override
        public void addTo(ObjectNode body, ObjectNode patch) {
            interventions.ask(retry, body, patch);
        }

        @Override
        public @Nullable Answer at(ObjectNode before) {
            return null;
        }

        @Override
        public @Nullable Answer in(ObjectNode body) {
            RetryRequest open = interventions.retry(body);
            if (open == null) {
                return Answer.ACKNOWLEDGED;
            }
            if (!open.token().equals(retry.token())) {
                return Answer.OVERTAKEN;
            }
            return interventions.pause(body).holds(body) ? Answer.PAUSED : null;
        }
    }

    /**
     * Finds the objects that somebody names.
     *
     * @param names each is {@code KIND/NAME}, or with a selector {@code KIND}
     * @param selector a label selector; null if the objects are named one by one
     * @param everywhere true for those of all namespaces; they are chosen by a selector then
     */
    public List<NamedObject> find(
            List<String> names, @Nullable String namespace, @Nullable String selector, boolean everywhere)
            throws InterruptedException {
        Set<NamedObject> found = new LinkedHashSet<>(); // a list that is read anew has the same ones
        for (String each : names) {
            if (selector == null) {
                found.add(NamedObject.of(api, each, namespace));
            } else if (each.contains("/")) {
                throw CommandException.usage("With --selector, name a kind, and no object: " + each);
            } else {
                Resource resource = NamedObject.resource(api, each);
                String place = everywhere ? null : NamedObject.place(api, resource, namespace);
                ListListener listener = body -> found.add(named(resource, body));
                var _ = api.unlessForbidden(
                        once -> once.list(resource, place, new Narrowing(selector, false), PAGE, listener));
            }
        }
        return List.copyOf(found);
    }

    private static NamedObject named(Resource resource, ObjectNode body) {
        ObjectReference reference = ObjectReference.of(body);
        return new NamedObject(
                resource,
                reference.namespace(),
                body.path("metadata").path("name").asString(""));
    }

    /**
     * What was asked about an object.
     *
     * @param object the object
     * @param uid which one of its name it was
     * @param version its version, from which on the answer comes
     * @param request what was asked
     * @param known the answer, if it was known at once; null if it is to be waited for
     */
    public record Asked(
            NamedObject object,
            String uid,
            String version,
            Request request,
            @Nullable Answer known) {}

    /**
     * Asks for something about an object.
     *
     * @throws CommandException if there is no such object
     */
    public Asked ask(NamedObject object, Request request) throws InterruptedException {
        ObjectNode body = object.read(api).orElseThrow(() -> CommandException.usage(object + " does not exist."));
        ObjectNode patch = Json.object();
        request.addTo(body, patch);
        ObjectNode answered = patch.isEmpty()
                ? body
                : api.unlessForbidden(once ->
                        once.patch(object.resource(), object.namespace(), object.name(), null, PatchType.MERGE, patch));
        JsonNode metadata = answered.path("metadata");
        return new Asked(
                object,
                metadata.path("uid").asString(""),
                metadata.path("resourceVersion").asString(""),
                request,
                request.at(body));
    }

    /**
     * Waits for the answers to all that was asked; if the time is over, they are what the objects say now.
     *
     * @param timeout for all of them together
     * @param told is told of each answer at once: it may take long until the next one
     */
    public List<Answer> await(List<Asked> asked, Duration timeout, BiConsumer<NamedObject, Answer> told)
            throws InterruptedException {
        Deadline until = platform.after(timeout);
        List<Answer> answers = new ArrayList<>();
        for (Asked each : asked) {
            Answer answer = await(each, until);
            told.accept(each.object(), answer);
            answers.add(answer);
        }
        return answers;
    }

    private Answer await(Asked asked, Deadline until) throws InterruptedException {
        if (asked.known() != null) {
            return asked.known();
        }
        NamedObject object = asked.object();
        Optional<ObjectNode> now = object.read(api);
        AtomicReference<@Nullable Answer> answer = new AtomicReference<>(answer(asked, now));
        if (answer.get() == null) {
            boolean _ = object.await(platform, api, asked.version(), NamedObject.versionOf(now), until, body -> {
                answer.set(answer(asked, body));
                return answer.get() != null;
            });
        }
        return Objects.requireNonNullElse(answer.get(), Answer.LATE);
    }

    private static @Nullable Answer answer(Asked asked, Optional<ObjectNode> body) {
        boolean there = body.isPresent()
                && body.get().path("metadata").path("uid").asString("").equals(asked.uid());
        return there ? asked.request().in(body.get()) : Answer.GONE;
    }
}
