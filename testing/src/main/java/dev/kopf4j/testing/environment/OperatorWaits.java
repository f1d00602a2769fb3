package dev.kopf4j.testing.environment;

import dev.kopf4j.Body;
import dev.kopf4j.Resource;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.testing.recording.ObjectStates;
import dev.kopf4j.testing.recording.RecordedCall;
import dev.kopf4j.testing.recording.Recording;
import dev.kopf4j.testing.recording.WatchedResource;
import dev.kopf4j.text.DurationText;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Waits for an operator, woken by what it does; looks at the cluster before and after. Thread-safe in real time. */
final class OperatorWaits {
    private final TestEnvironment environment;
    private final Recording recording;
    private final Duration timeout;
    private final ClusterView cluster;

    OperatorWaits(TestEnvironment environment, Duration timeout) {
        this.environment = environment;
        this.recording = environment.recording();
        this.timeout = timeout;
        this.cluster = new ClusterView(environment.client());
    }

    /** Something that waits. */
    interface Waiting<T> {
        T get() throws InterruptedException;
    }

    /** Waits; an interrupt of the test's thread is a failure. */
    <T> T interruptibly(Waiting<T> waiting) {
        try {
            return waiting.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("the test was interrupted");
        }
    }

    void awaitHandled(Object object) {
        Deadline deadline = deadline();
        ObjectReference given = ObjectReferences.of(object);
        Resource resource = watched(given);
        ObjectReference wanted = cluster.placed(resource, given);
        Optional<VersionedObject> before;
        Optional<VersionedObject> after = cluster.find(resource, wanted);
        if (after.isEmpty() && !hasBeen(resource, wanted)) {
            throw failure("there is no " + wanted.describe() + ", and there was none, so nothing can be handled");
        }
        do {
            before = after;
            ObjectReference known = before.map(VersionedObject::reference).orElse(wanted);
            Optional<String> version = before.map(VersionedObject::version);
            ObjectStates objects = recording.objects();
            await(
                    known.describe() + " was not handled",
                    () -> objects.hasSeen(resource, known, version) && objects.isDone(resource, known),
                    () -> unwatched(resource, wanted),
                    () -> "",
                    deadline);
            after = cluster.find(resource, wanted);
        } while (!after.equals(before));
    }

    /**
     * True if there may have been such an object: one with a uid was; the rest is known where requests are recorded,
     * and so on no cluster that exists.
     */
    private boolean hasBeen(Resource resource, ObjectReference wanted) {
        return wanted.uid() != null
                || environment.kinds().isEmpty()
                || recording.look(() -> recording.objects().knows(resource, wanted))
                || !recording
                        .snapshots(resource.kind(), String.valueOf(wanted.name()))
                        .isEmpty();
    }

    /** The object as it is on the cluster, in the wanted version. */
    Optional<Body> read(ObjectReference wanted) {
        return cluster.read(watched(wanted), wanted);
    }

    /** In the version of the object if the operator watches that, or else in another one: it is the same object. */
    private Resource watched(ObjectReference wanted) {
        List<WatchedResource> all = recording.look(() -> recording.objects().watched());
        List<Resource> found = all.stream()
                .map(WatchedResource::resource)
                .filter(each ->
                        each.kind().equals(wanted.kind()) && each.group().equals(group(wanted)))
                .toList();
        return found.stream()
                .filter(each -> each.apiVersion().equals(wanted.apiVersion()))
                .findFirst()
                .or(() -> found.stream().findFirst())
                .orElseThrow(() -> new IllegalArgumentException("the operator does not watch " + wanted.apiVersion()
                        + " " + wanted.kind() + ", so it will never handle " + wanted + "; it watches " + all));
    }

    private static String group(ObjectReference wanted) {
        String apiVersion = String.valueOf(wanted.apiVersion());
        return apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
    }

    /** Why an object may never be handled: the operator watches none of its namespace, so far. */
    private List<String> unwatched(Resource resource, ObjectReference placed) {
        List<WatchedResource> streams = recording.objects().watched().stream()
                .filter(each -> each.resource().equals(resource))
                .toList();
        boolean watches = streams.stream()
                .anyMatch(each ->
                        each.namespace().isEmpty() || each.namespace().get().equals(placed.namespace()));
        return watches
                ? List.of()
                : List.of("the operator does not watch " + resource + " in namespace '" + placed.namespace()
                        + "', but in "
                        + streams.stream()
                                .flatMap(each -> each.namespace().stream())
                                .map(each -> "'" + each + "'")
                                .collect(Collectors.joining(", ")));
    }

    /** Lists again and again until the operator has done nothing since before a list, and has seen all of it. */
    void awaitIdle() {
        Deadline deadline = deadline();
        boolean rests = false;
        while (!rests) {
            long changes = awaitRest(deadline);
            Map<ClusterView.Key, VersionedObject> listed = listed();
            rests = recording.look(() -> rests(listed) && recording.objects().changes() == changes);
            if (!rests) {
                awaitRest(listed, changes, deadline);
            }
        }
    }

    /** Waits until the operator is at rest; returns what it had heard and done until then. */
    private long awaitRest(Deadline deadline) {
        ObjectStates objects = recording.objects();
        AtomicLong changes = new AtomicLong();
        await(
                "the operator was not at rest",
                () -> {
                    changes.set(objects.changes());
                    return objects.isAtRest();
                },
                deadline);
        return changes.get();
    }

    /** Waits until the operator has seen what was listed and is at rest; or until it knows more than that. */
    private void awaitRest(Map<ClusterView.Key, VersionedObject> listed, long changes, Deadline deadline) {
        ObjectStates objects = recording.objects();
        await(
                "the operator was not at rest",
                () -> rests(listed) || (objects.isAtRest() && objects.changes() > changes),
                () -> UnseenObjects.of(listed, objects),
                () -> "",
                deadline);
    }

    private boolean rests(Map<ClusterView.Key, VersionedObject> listed) {
        ObjectStates objects = recording.objects();
        return objects.isAtRest() && UnseenObjects.of(listed, objects).isEmpty();
    }

    private Map<ClusterView.Key, VersionedObject> listed() {
        return cluster.list(recording.look(() -> recording.objects().watched()));
    }

    Event awaitEvent(String description, Predicate<Event> fits) {
        await(
                "there was no Kubernetes event " + description,
                () -> recording.event(fits::test).isPresent(),
                List::<String>of,
                () -> "The events that there were:" + lines(recording.posted()),
                deadline());
        return recording.look(() -> recording.event(fits::test)).orElseThrow();
    }

    List<RecordedCall> awaitCalls(String handler, int count) {
        await(
                "the handler '" + handler + "' was not called " + count + " times",
                () -> recording.endedCalls(handler).size() >= count,
                List::<String>of,
                () -> "Its calls that have ended:" + lines(recording.endedCalls(handler)),
                deadline());
        return recording.look(() -> recording.endedCalls(handler));
    }

    private static String lines(List<?> found) {
        return found.isEmpty()
                ? " none\n"
                : found.stream().map(each -> "\n  " + each).collect(Collectors.joining("", "", "\n"));
    }

    void awaitEnd() {
        await("the operator didn't stop, it is still running", recording::ended, deadline());
    }

    private void await(String problem, BooleanSupplier condition, Deadline deadline) {
        await(problem, condition, List::<String>of, () -> "", deadline);
    }

    /**
     * Waits.
     *
     * @param pending what is waited for, besides what the recording knows itself
     * @param instead what there is instead, as lines; empty if nothing is to be said
     */
    private void await(
            String problem,
            BooleanSupplier condition,
            Supplier<List<String>> pending,
            Supplier<String> instead,
            Deadline deadline) {
        environment.waits();
        boolean held = interruptibly(() -> recording.await(condition, deadline));
        if (!held) {
            String why =
                    recording.hasEnded() ? ", and the operator has ended" : " within " + DurationText.format(timeout);
            throw new AssertionError(
                    problem + why + ".\n" + recording.look(instead) + recording.story(recording.look(pending)));
        }
    }

    AssertionError failure(String problem) {
        return new AssertionError(problem + ".\n" + recording.story());
    }

    private Deadline deadline() {
        return environment.platform().after(timeout);
    }
}
