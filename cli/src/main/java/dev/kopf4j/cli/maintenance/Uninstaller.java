package dev.kopf4j.cli.maintenance;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.Resource;
import dev.kopf4j.cli.maintenance.ObjectLister.FoundObject;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.orchestration.WatchPlan.PlannedStream;
import dev.kopf4j.engine.rights.RequiredRule;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import dev.kopf4j.engine.rights.RightsPlan.RightsReview;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes what an operator has left off the objects of a cluster, so that they live on, or go, without it. The settings
 * must be those of the operator: start-up handlers are not called. Thread-safe.
 */
public final class Uninstaller {
    private static final String STATUS = "status";
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

    /** An operator that runs has put its finalizer on again by then. */
    private static final Duration BEFORE_SECOND_LOOK = Duration.ofSeconds(3);

    private final ClusterSurvey survey;
    private final Platform platform;
    private final OperatorTraces traces;
    private final boolean rehearsal;

    /**
     * Uninstalls the operator that the builder would build.
     *
     * @param rehearsal true to tell what would be done, and change nothing
     */
    public Uninstaller(OperatorBuilder builder, Platform platform, boolean rehearsal) {
        this(ClusterSurvey.of(OperatorPlan.of(builder), platform), platform, rehearsal);
    }

    Uninstaller(ClusterSurvey survey, Platform platform, boolean rehearsal) {
        this.survey = survey;
        this.platform = platform;
        this.traces = OperatorTraces.of(survey.settings());
        this.rehearsal = rehearsal;
    }

    /**
     * Deletes the operator's webhook configurations, takes the finalizer and the records off all objects, and leaves
     * the objects. The operator should not run any more: it would put them back.
     *
     * @param told hears of each object
     * @return how many objects had something, whether that is true again, and how many could not be changed
     * @throws OperatorException if rights are missing, before anything is changed; or if the cluster cannot be reached
     */
    public Orphaned orphan(Consumer<String> told) throws InterruptedException {
        return survey.look(found -> {
            ObjectLister all =
                    ObjectLister.of(survey, found).asStored(found.served().known());
            Rights rights = new Rights(all.api(), this::toPatch);
            ObjectLister lister = rights.permitted(all, told);
            WrittenWebhooks webhooks = WrittenWebhooks.of(lister.api(), survey.settings());
            List<String> missing = new ArrayList<>(rights.missing(lister.streams()));
            missing.addAll(webhooks.missingRights());
            require(missing);
            webhooks.delete(rehearsal, told); // first, as nobody answers them any more
            TraceRemoval removal = new TraceRemoval(lister, traces, rehearsal);
            Orphaned done = removal.removeAll(told);
            if (rehearsal || done.count() == 0) {
                return done;
            }
            platform.sleep(BEFORE_SECOND_LOOK);
            int again = Math.max(0, removal.count() - done.refused());
            return new Orphaned(done.count(), again, done.refused(), done.unseen(), done.empty(), done.unconverted());
        });
    }

    /**
     * What was taken off.
     *
     * @param count how many objects had something
     * @param again how many have something a little later: the operator still runs
     * @param refused how many the server does not let be changed: they keep what they have
     * @param unseen resources of handlers whose objects cannot be looked at, in words
     * @param empty classes of resources of handlers of which the cluster serves none, in words
     * @param unconverted resources with objects that nobody converts, in words: these were left alone
     */
    public record Orphaned(
            int count, int again, int refused, List<String> unseen, List<String> empty, List<String> unconverted) {
        /** Copies the lists. */
        public Orphaned {
            unseen = List.copyOf(unseen);
            empty = List.copyOf(empty);
            unconverted = List.copyOf(unconverted);
        }
    }

    /**
     * What the operator has not let go.
     *
     * @param held objects that it was waited for, in words
     * @param kept how many objects of Kubernetes' own kinds, which are not deleted, still have its finalizer
     * @param unseen resources of handlers whose objects cannot be looked at, in words
     * @param empty classes of resources of handlers of which the cluster serves none, in words
     */
    public record Drained(List<String> held, int kept, List<String> unseen, List<String> empty) {
        /** Copies the lists. */
        public Drained {
            held = List.copyOf(held);
            unseen = List.copyOf(unseen);
            empty = List.copyOf(empty);
        }
    }

    /**
     * Deletes the custom objects that the operator holds by its finalizer, also those that come meanwhile, and waits
     * until it has handled their deletions; then deletes its webhook configurations. The operator must be running.
     * Records on other objects stay: it would take those objects for new ones.
     *
     * @param patience how long to wait
     * @param told hears of each object
     * @return what the operator has not let go in time
     * @throws OperatorException if rights are missing, before anything is changed; or if the cluster cannot be reached
     */
    public Drained drain(Duration patience, Consumer<String> told) throws InterruptedException {
        return survey.look(found -> {
            ObjectLister all = ObjectLister.of(survey, found);
            Set<Resource> custom = custom(all);
            Rights rights = new Rights(all.api(), stream -> toDelete(stream, custom));
            ObjectLister lister = rights.permitted(all, told);
            List<String> missing = new ArrayList<>(new CustomDefinitions(lister.api()).missingRights());
            missing.addAll(rights.missing(lister.streams()));
            WrittenWebhooks webhooks = WrittenWebhooks.of(lister.api(), survey.settings());
            missing.addAll(webhooks.missingRights());
            require(missing);
            Draining draining = new Draining(lister, custom, traces, rehearsal, told, new HashSet<>());
            Drained left = draining.look();
            Deadline deadline = platform.after(patience);
            while (!rehearsal && !left.held().isEmpty() && deadline.nanos() > platform.nanos()) {
                platform.sleep(BETWEEN_LOOKS);
                left = draining.look();
            }
            if (rehearsal || left.held().isEmpty()) {
                webhooks.delete(rehearsal, told);
            }
            return rehearsal ? new Drained(List.of(), left.kept(), left.unseen(), left.empty()) : left;
        });
    }

    /** The resources whose objects are deleted: as far as can be told, if definitions must not be read. */
    private static Set<Resource> custom(ObjectLister lister) throws InterruptedException {
        CustomDefinitions definitions = new CustomDefinitions(lister.api());
        boolean readable = definitions.mayBeRead();
        Set<Resource> custom = new HashSet<>();
        for (PlannedStream stream : lister.streams()) {
            Resource resource = stream.resource();
            if (readable ? definitions.of(resource).isPresent() : CustomDefinitions.mayDefine(resource)) {
                custom.add(resource);
            }
        }
        return custom;
    }

    /** Objects of other kinds are only looked at. */
    private static List<RequiredRule> toDelete(PlannedStream stream, Set<Resource> custom) {
        boolean deletes = custom.contains(stream.resource());
        String[] verbs = deletes ? new String[] {"list", "delete"} : new String[] {"list"};
        return List.of(RequiredRule.of(RightScope.of(stream.namespace()), stream.resource(), "", verbs));
    }

    /** Records are in the status, too, as far as the settings say so. */
    private List<RequiredRule> toPatch(PlannedStream stream) {
        Resource resource = stream.resource();
        RightScope scope = RightScope.of(stream.namespace());
        RequiredRule objects = RequiredRule.of(scope, resource, "", "list", "patch");
        if (traces.locations().fields().isEmpty() || !resource.subresources().contains(STATUS)) {
            return List.of(objects);
        }
        return List.of(
                objects,
                new RequiredRule(
                        scope, resource.group(), resource.plural() + "/" + STATUS, List.of("patch"), List.of(), ""));
    }

    /**
     * What the account in use may do.
     *
     * @param api asks as that account
     * @param rules what it has to be allowed where a stream is
     */
    private record Rights(KubernetesApi api, Function<PlannedStream, List<RequiredRule>> rules) {
        List<String> missing(List<PlannedStream> streams) throws InterruptedException {
            return new RightsReview(api)
                    .missing(streams.stream().map(rules).flatMap(List::stream).toList());
        }

        /** What nothing was left on is left out where rights are missing, and that is told. */
        ObjectLister permitted(ObjectLister lister, Consumer<String> told) throws InterruptedException {
            List<PlannedStream> without = new ArrayList<>();
            for (PlannedStream stream : lister.streams()) {
                List<String> missing = ObjectLister.leavesNothing(stream) ? missing(List.of(stream)) : List.of();
                if (!missing.isEmpty()) {
                    told.accept(
                            stream.resource() + ": not looked at, as handlers of events and indices leave nothing, and"
                                    + " the account in use has no right to: " + String.join("; ", missing));
                    without.add(stream);
                }
            }
            return lister.without(without);
        }
    }

    private static void require(List<String> missing) {
        if (!missing.isEmpty()) {
            throw new OperatorException("Nothing was changed, because the account in use has no right to: "
                    + String.join("; ", missing) + ". Grant it, or give other credentials with --kubeconfig.");
        }
    }

    /** The operator runs, and ought to convert them. */
    private static void throwUnconverted(Resource resource, ClientException failure) {
        throw failure;
    }

    /** What the server says about one object is no reason to leave out the others. */
    private static void throwIfOfAll(ClientException failure) {
        if (failure.mayMeetAll()) {
            throw failure;
        }
    }

    /**
     * Deletes what an operator holds.
     *
     * @param lister reads the objects
     * @param custom the resources whose objects are deleted
     * @param traces how the operator holds them
     * @param rehearsal true to change nothing
     * @param told hears of each object that is deleted
     * @param refused the objects that were told as not to be deleted
     */
    private record Draining(
            ObjectLister lister,
            Set<Resource> custom,
            OperatorTraces traces,
            boolean rehearsal,
            Consumer<String> told,
            Set<String> refused) {
        /** Looks at all objects, and deletes those that are not being deleted yet; returns what is held. */
        Drained look() throws InterruptedException {
            List<String> held = new ArrayList<>();
            int[] kept = {0};
            lister.each(
                    stream -> true,
                    object -> {
                        boolean own = custom.contains(object.resource());
                        if (!traces.hold(object.body())) {
                            return;
                        }
                        if (own && !object.isDeleted()) {
                            if (rehearsal) {
                                told.accept(object + " would be deleted");
                            } else {
                                delete(object);
                            }
                        } else if (rehearsal && object.isDeleted()) {
                            told.accept(object + " is being deleted, and would be waited for");
                        }
                        if (own || object.isDeleted()) {
                            held.add(object.toString());
                        } else {
                            kept[0]++;
                        }
                    },
                    Uninstaller::throwUnconverted);
            return new Drained(held, kept[0], lister.unseenInWords(), lister.emptyInWords());
        }

        private void delete(FoundObject object) throws InterruptedException {
            try {
                lister.api()
                        .unlessForbidden(api ->
                                api.delete(object.resource(), object.namespace(), object.name(), object.thisOne()));
                told.accept(object + " is being deleted");
            } catch (NotFoundException e) {
                // Somebody else was quicker: it is gone, as it should be.
            } catch (ClientException e) {
                if (e instanceof ConflictException conflict && conflict.isAboutIdentity()) {
                    // It is gone, and another one has its name by now. Webhooks deny with the same code.
                    return;
                }
                throwIfOfAll(e);
                // It is tried again with the next look: what refuses it may go.
                if (refused.add(object.toString())) {
                    told.accept(object + ": not deleted: " + e.getMessage());
                }
            }
        }
    }

    /**
     * Takes the traces of an operator off its objects.
     *
     * @param lister reads the objects
     * @param traces what it leaves
     * @param rehearsal true to change nothing
     */
    private record TraceRemoval(ObjectLister lister, OperatorTraces traces, boolean rehearsal) {
        private static final int ATTEMPTS = 5;

        /** Goes on with the others if the server refuses one, or if nobody converts those of a resource. */
        Orphaned removeAll(Consumer<String> told) throws InterruptedException {
            int[] count = {0};
            int[] refused = {0};
            List<String> unconverted = new ArrayList<>();
            lister.each(
                    stream -> true,
                    object -> {
                        Optional<String> removed = described(object.body());
                        if (removed.isEmpty()) {
                            return;
                        }
                        try {
                            if (!rehearsal) {
                                remove(object);
                            }
                            told.accept(object + ": " + removed.get() + (rehearsal ? " would be removed" : " removed"));
                            count[0]++;
                        } catch (ClientException e) {
                            throwIfOfAll(e);
                            told.accept(object + ": " + removed.get() + " not removed: " + e.getMessage());
                            refused[0]++;
                        }
                    },
                    (resource, failure) -> unconverted.add(resource + " (" + failure.getMessage() + ")"));
            return new Orphaned(count[0], 0, refused[0], lister.unseenInWords(), lister.emptyInWords(), unconverted);
        }

        /** Returns how many objects have some. */
        int count() throws InterruptedException {
            int[] count = {0};
            lister.each(
                    stream -> true,
                    object -> count[0] += described(object.body()).isPresent() ? 1 : 0,
                    (_, _) -> {}); // told before
            return count[0];
        }

        private Optional<String> described(ObjectNode body) {
            boolean held = traces.hold(body);
            boolean records = !traces.annotations(body).isEmpty()
                    || traces.statusRemoval(body).isPresent();
            String text = held ? records ? "finalizer and records" : "finalizer" : records ? "records" : "";
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        }

        /** The status first: the object may be gone when it has lost its finalizer. */
        private void remove(FoundObject object) throws InterruptedException {
            boolean subresource = object.resource().subresources().contains(STATUS);
            ObjectNode body = patch(object, object.body(), subresource ? STATUS : null, traces::statusRemoval);
            if (body != null) {
                patch(object, body, null, traces::removal);
            }
        }

        /** Patches until nobody has changed the object meanwhile; returns it as it is then, or null if it is gone. */
        private @Nullable ObjectNode patch(
                FoundObject object,
                ObjectNode body,
                @Nullable String subresource,
                Function<ObjectNode, Optional<ObjectNode>> removal)
                throws InterruptedException {
            ObjectNode current = body;
            for (int attempt = 1; ; attempt++) {
                try {
                    if (attempt > 1) {
                        Optional<ObjectNode> now = lister.now(object);
                        if (now.isEmpty()) {
                            return null;
                        }
                        current = now.get();
                    }
                    Optional<ObjectNode> patch = removal.apply(current);
                    if (patch.isEmpty()) {
                        return current;
                    }
                    return lister.api()
                            .unlessForbidden(api -> api.patch(
                                    object.resource(),
                                    object.namespace(),
                                    object.name(),
                                    subresource,
                                    PatchType.MERGE,
                                    patch.get()));
                } catch (NotFoundException e) {
                    return null;
                } catch (ConflictException e) {
                    if (attempt == ATTEMPTS) {
                        throw e;
                    }
                }
            }
        }
    }
}
