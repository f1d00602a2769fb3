package dev.kopf4j.cli.maintenance;

import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.observation.ServedResources;
import dev.kopf4j.engine.orchestration.WatchPlan.PlannedStream;
import dev.kopf4j.engine.orchestration.WatchPlan.Unwatched;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the objects that an operator has handlers for, page by page. Children are not among them: the operator leaves
 * nothing on them.
 *
 * @param api the way to the cluster
 * @param streams what the operator would watch for its handlers
 * @param unseen what handlers are for that leave something on objects, and cannot be looked at
 * @param empty the classes of resources of such handlers of which the cluster serves none
 * @param pageSize how many objects are read at a time
 */
record ObjectLister(
        KubernetesApi api,
        List<PlannedStream> streams,
        List<Unwatched> unseen,
        List<ResourceSelector> empty,
        int pageSize) {
    private static final List<String> TO_LEAVE_SOMETHING = List.of("list", "watch", "patch");

    static ObjectLister of(ClusterSurvey survey, ClusterSurvey.Found found) {
        List<PlannedStream> streams = survey.watchPlan().streams(found.served(), found.namespaces()).stream()
                .filter(stream -> !stream.handlers().isEmpty())
                .toList();
        return new ObjectLister(
                found.api(),
                streams,
                survey.unwatched(found.served()).stream()
                        .filter(each -> mayHold(each.selector(), survey, found.served()))
                        .toList(),
                survey.emptyClasses(found.served()).stream()
                        .filter(each -> mayHold(each, survey, found.served()))
                        .toList(),
                survey.settings().watching().pageSize());
    }

    /** False if no operator leaves anything there: no handler makes it, or objects cannot be followed or changed. */
    private static boolean mayHold(ResourceSelector selector, ClusterSurvey survey, ServedResources served) {
        List<Resource> meant = served.known().stream().filter(selector::matches).toList();
        return survey.registry().watching(selector).stream().anyMatch(RegisteredHandler::writesProgress)
                && (meant.isEmpty()
                        || meant.stream().anyMatch(each -> each.verbs().containsAll(TO_LEAVE_SOMETHING)));
    }

    /**
     * True if no handler of the stream leaves anything on objects, as those of events and indices: at most one of an
     * earlier program has.
     */
    static boolean leavesNothing(PlannedStream stream) {
        return stream.handlers().stream().noneMatch(RegisteredHandler::writesProgress);
    }

    /** The same without those streams. */
    ObjectLister without(Collection<PlannedStream> passedOver) {
        return new ObjectLister(
                api,
                streams.stream().filter(stream -> !passedOver.contains(stream)).toList(),
                unseen,
                empty,
                pageSize);
    }

    List<String> unseenInWords() {
        return unseen.stream().map(Unwatched::toString).toList();
    }

    List<String> emptyInWords() {
        return empty.stream().map(ResourceSelector::toString).toList();
    }

    /**
     * The same objects in the version that they are stored in, where a webhook converts them to others: it may be the
     * operator itself, which does not run any more. Finalizers and annotations are the same in all versions.
     *
     * @param served what the cluster serves
     */
    ObjectLister asStored(Collection<Resource> served) throws InterruptedException {
        CustomDefinitions definitions = new CustomDefinitions(api);
        if (!definitions.mayBeRead()) {
            return this;
        }
        Map<Resource, Resource> versions = new HashMap<>();
        List<PlannedStream> stored = new ArrayList<>();
        for (PlannedStream stream : streams) {
            Resource resource = versions.get(stream.resource());
            if (resource == null) {
                String version = definitions.storedVersion(stream.resource()).orElse("");
                resource = versions(stream.resource(), served)
                        .filter(each -> each.version().equals(version))
                        .findFirst()
                        .orElse(stream.resource());
                versions.put(stream.resource(), resource);
            }
            stored.add(new PlannedStream(
                    resource, stream.namespace(), stream.handlers(), stream.ofChildren(), stream.narrowing()));
        }
        return new ObjectLister(api, stored, unseen, empty, pageSize);
    }

    /** All versions of the resource, of what is served. */
    static Stream<Resource> versions(Resource resource, Collection<Resource> served) {
        return served.stream()
                .filter(each ->
                        each.group().equals(resource.group()) && each.plural().equals(resource.plural()));
    }

    /**
     * Hands over the objects of the chosen streams; leaves out those that nobody converts, and tells why, once for each
     * resource. After that, its streams in other namespaces are asked for once, and not again and again.
     */
    void each(Choice choice, Use use, Unconverted unconverted) throws InterruptedException {
        Set<Resource> told = new HashSet<>();
        for (PlannedStream stream : streams) {
            if (choice.includes(stream)) {
                try {
                    each(stream, use, told.contains(stream.resource()));
                } catch (ClientException e) {
                    if (!isOfConversion(e)) {
                        throw e;
                    }
                    if (told.add(stream.resource())) {
                        unconverted.tell(stream.resource(), e);
                    }
                }
            }
        }
    }

    /**
     * Hands over each object once, also if the stream has to be asked again, as something else than a conversion fails.
     */
    private void each(PlannedStream stream, Use use, boolean toldAsUnconverted) throws InterruptedException {
        Set<String> done = new HashSet<>();
        ListListener listener = body -> {
            FoundObject object = new FoundObject(stream, body);
            if (!toldAsUnconverted) {
                use.of(object);
            } else if (!done.contains(object.toString())) {
                use.of(object);
                done.add(object.toString());
            }
        };
        if (toldAsUnconverted) {
            try {
                KubernetesApi once = api.with(api.settings().withErrorBackoffs());
                var _ = once.list(stream.resource(), stream.namespace(), pageSize, listener);
                return;
            } catch (ClientException e) {
                if (isOfConversion(e)) {
                    throw e;
                }
            }
        }
        var _ = api.list(stream.resource(), stream.namespace(), pageSize, listener);
    }

    /**
     * True if the webhook that converts objects does not answer, or not as it should: the server tells it by a 500
     * without a reason, or as long as it has no cache of the objects for that.
     */
    static boolean isOfConversion(ClientException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("conversion webhook for ") || message.contains("storage is (re)initializing");
    }

    /** The object as it is now, by the right to list, which is all that is asked for; empty if it is gone. */
    Optional<ObjectNode> now(FoundObject object) throws InterruptedException {
        List<ObjectNode> found = new ArrayList<>();
        ListListener listener = body -> {
            if (object.isOf(body)) {
                found.add(body);
            }
        };
        var _ = api.list(object.resource(), object.namespace(), Narrowing.named(object.name()), pageSize, listener);
        return found.stream().findFirst();
    }

    /** Chooses among the streams. */
    @FunctionalInterface
    interface Choice {
        boolean includes(PlannedStream stream) throws InterruptedException;
    }

    /** Hears of resources whose objects nobody converts. */
    @FunctionalInterface
    interface Unconverted {
        void tell(Resource resource, ClientException failure);
    }

    /** Does something with an object. */
    @FunctionalInterface
    interface Use {
        void of(FoundObject object) throws InterruptedException;
    }

    /**
     * An object as a cluster has it. The body is not changed.
     *
     * @param stream where it was found
     * @param body its fields
     */
    record FoundObject(PlannedStream stream, ObjectNode body) {
        /** What it is one of. */
        Resource resource() {
            return stream.resource();
        }

        private ObjectReference reference() {
            return ObjectReference.of(body);
        }

        String name() {
            return body.path("metadata").path("name").asString("");
        }

        @Nullable String namespace() {
            return reference().namespace();
        }

        /** True if the body is of this object, and not of a later one of its name. */
        boolean isOf(ObjectNode other) {
            return Objects.equals(reference().uid(), ObjectReference.of(other).uid());
        }

        boolean isDeleted() {
            return body.path("metadata").has("deletionTimestamp");
        }

        /** The options of a request that deletes this object, and no other one of its name. */
        ObjectNode thisOne() {
            ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
            options.putObject("preconditions").put("uid", reference().uid());
            return options;
        }

        /** As kubectl names it: {@code kopfexamples.kopf.dev default/x}. */
        @Override
        public String toString() {
            String group = resource().group().isEmpty() ? "" : "." + resource().group();
            return resource().plural() + group + " " + reference();
        }
    }
}
