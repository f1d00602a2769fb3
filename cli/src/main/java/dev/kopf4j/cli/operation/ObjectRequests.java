package dev.kopf4j.cli.operation;

import dev.kopf4j.Resource;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ApiException.UnprocessableException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.intervention.Interventions.Pause;
import dev.kopf4j.engine.intervention.Interventions.RetryRequest;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
    private static final int AT_A_TIME = 8;

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
     * A request, ready to be sent.
     *
     * @param object about which object
     * @param known what the object says to it already; null if it was not looked at yet
     */
    public record AddressedRequest(
            NamedObject object, Request request, @Nullable Draft known) {}

    /**
     * What is to be written of a request, by a state of its object.
     *
     * @param uid which one of its name the object was
     * @param version of the state
     * @param patch empty if nothing is to be written
     * @param answer the answer, if it is known at once; null if it is to be waited for
     */
    public record Draft(
            String uid,
            String version,
            ObjectNode patch,
            @Nullable Answer answer) {
        static Draft of(ObjectNode body, Request request) {
            ObjectNode patch = Json.object();
            request.addTo(body, patch);
            JsonNode metadata = body.path("metadata");
            return new Draft(
                    metadata.path("uid").asString(""),
                    metadata.path("resourceVersion").asString(""),
                    patch,
                    request.at(body));
        }

        /** The patch for that very object, and none that has got its name meanwhile. */
        ObjectNode patchOfThisOne() {
            ObjectNode exact = patch.deepCopy();
            exact.withObject("/metadata").put("uid", uid);
            return exact;
        }
    }

    /**
     * Finds the objects that somebody names.
     *
     * @param names each is {@code KIND/NAME}, or with a selector {@code KIND}
     * @param selector a label selector; null if the objects are named one by one
     * @param everywhere true for those of all namespaces; they are chosen by a selector then
     * @param request what is to be asked about them
     */
    public List<AddressedRequest> find(
            List<String> names,
            @Nullable String namespace,
            @Nullable String selector,
            boolean everywhere,
            Request request)
            throws InterruptedException {
        Map<NamedObject, AddressedRequest> found = new LinkedHashMap<>(); // a list that is read anew has the same ones
        for (String each : names) {
            if (selector == null) {
                NamedObject object = NamedObject.of(api, each, namespace);
                found.put(object, new AddressedRequest(object, request, null));
            } else if (each.contains("/")) {
                throw CommandException.usage("With --selector, name a kind, and no object: " + each);
            } else {
                Resource resource = NamedObject.resource(api, each);
                String place = everywhere ? null : NamedObject.place(api, resource, namespace);
                ListListener listener = body -> {
                    NamedObject object = named(resource, body);
                    found.put(object, new AddressedRequest(object, request, Draft.of(body, request)));
                };
                var _ = api.unlessForbidden(
                        once -> once.list(resource, place, new Narrowing(selector, false), PAGE, listener));
            }
        }
        return List.copyOf(found.values());
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

    /** Hears of each object whether the request was written. */
    @FunctionalInterface
    public interface AskListener {
        /**
         * Called by one task at a time.
         *
         * @param refusal why it could not be written; null if it was
         */
        void asked(NamedObject object, @Nullable RuntimeException refusal);
    }

    /**
     * Asks, about several objects at a time.
     *
     * @return what was asked, in the order of the requests; without what could not be
     * @throws ClientException for what meets all objects alike, or if there is a single one
     * @throws CommandException if the object of the only one does not exist
     */
    public List<Asked> ask(List<AddressedRequest> requests, AskListener listener) throws InterruptedException {
        Asking asking = new Asking(requests, listener);
        List<Task> tasks = IntStream.range(0, Math.min(AT_A_TIME, requests.size()))
                .mapToObj(each -> platform.spawn("request " + each, asking))
                .toList();
        try {
            for (Task task : tasks) {
                task.join(Deadline.NEVER);
            }
        } finally {
            tasks.forEach(Task::interrupt);
        }
        return asking.asked();
    }

    /** Sends one after the other; by several tasks. */
    private final class Asking implements Runnable {
        private final List<AddressedRequest> requests;
        private final AskListener listener;
        private final Monitor monitor = platform.monitor();

        // Guarded by the monitor.
        private final Map<NamedObject, Asked> asked = new HashMap<>();
        private int next;
        private @Nullable RuntimeException failure;

        Asking(List<AddressedRequest> requests, AskListener listener) {
            this.requests = requests;
            this.listener = listener;
        }

        @Override
        public void run() {
            try {
                for (AddressedRequest each = take(); each != null; each = take()) {
                    askOrTell(each);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                monitor.locked(() -> {
                    failure = e;
                });
            }
        }

        private @Nullable AddressedRequest take() {
            return monitor.locked(() -> failure != null || next == requests.size() ? null : requests.get(next++));
        }

        private void askOrTell(AddressedRequest addressed) throws InterruptedException {
            try {
                Asked written = ask(addressed);
                monitor.locked(() -> {
                    asked.put(addressed.object(), written);
                    listener.asked(addressed.object(), null);
                });
            } catch (ClientException | CommandException e) {
                if (requests.size() == 1 || (e instanceof ClientException refusal && refusal.mayMeetAll())) {
                    throw e;
                }
                monitor.locked(() -> listener.asked(addressed.object(), e));
            }
        }

        List<Asked> asked() {
            return monitor.locked(() -> {
                if (failure != null) {
                    throw failure;
                }
                return requests.stream()
                        .flatMap(each -> Stream.ofNullable(asked.get(each.object())))
                        .toList();
            });
        }
    }

    /**
     * An object that is another one than what was listed is looked at anew: the server answers 422 then, or 409, or 404
     * if there is none.
     */
    private Asked ask(AddressedRequest addressed) throws InterruptedException {
        Draft known = addressed.known();
        if (known == null) {
            return askAnew(addressed);
        }
        try {
            return write(addressed, known);
        } catch (UnprocessableException | ConflictException | NotFoundException e) {
            return askAnew(addressed);
        }
    }

    private Asked askAnew(AddressedRequest addressed) throws InterruptedException {
        ObjectNode body = addressed
                .object()
                .read(api)
                .orElseThrow(() -> CommandException.usage(addressed.object() + " does not exist."));
        return write(addressed, Draft.of(body, addressed.request()));
    }

    private Asked write(AddressedRequest addressed, Draft draft) throws InterruptedException {
        NamedObject object = addressed.object();
        String version = draft.version();
        if (!draft.patch().isEmpty()) {
            ObjectNode answered = api.unlessForbidden(once -> once.patch(
                    object.resource(),
                    object.namespace(),
                    object.name(),
                    null,
                    PatchType.MERGE,
                    draft.patchOfThisOne()));
            version = answered.path("metadata").path("resourceVersion").asString("");
        }
        return new Asked(object, draft.uid(), version, addressed.request(), draft.answer());
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
