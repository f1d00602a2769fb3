package dev.kopf4j.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;

/** The operators of {@link Mistakes} without their mistakes: no seed breaks a rule. */
@Tag("N05")
class CorrectedTest {
    private static final String CONFIG_MAPS = "configmaps";
    private static final String PARENT = "role=parent";

    /** The goal is 1,000 seeds, with {@code -Dkopf4j.seeds=1000}: five minutes of two processors. */
    private static final int SEEDS = 20;

    private final FakeService service = new FakeService();

    private void nothingIsLeft(World world) {
        assertThat(service.existing()).isEqualTo(Mistakes.names(world));
    }

    private static Object applyNamed(HandlerContext context) {
        Mistakes.client(context)
                .resource(Mistakes.child(context)
                        .editMetadata()
                        .withName(context.name() + "-" + context.uid())
                        .endMetadata()
                        .build())
                .forceConflicts()
                .serverSideApply();
        return "done";
    }

    /**
     * A name that follows from the parent's uid, and an apply in place of a creation. Not from its name alone: a call
     * for a parent that was deleted meanwhile may come after that for the next one of the same name.
     */
    @Simulated(seeds = SEEDS)
    void createsChildrenUnderKnownNames(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), CorrectedTest::applyNamed))
                .finallyHolds("one child for each parent", Parents::oneChildEach);
    }

    /** A deletion handler holds the object until it has ended. */
    @Simulated(seeds = SEEDS)
    void cleansUpInADeletionHandler(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), this::ensure)
                        .onDelete(CONFIG_MAPS, "delete", h -> h.labels(PARENT), this::remove))
                .finallyHolds("nothing is left in the service", this::nothingIsLeft);
    }

    private Object ensure(HandlerContext context) {
        service.ensure(context.name());
        return "done";
    }

    private Object remove(HandlerContext context) {
        service.remove(context.name());
        return "done";
    }

    /** The uid of the object is a key that tells a repetition. */
    @Simulated(seeds = SEEDS)
    void isIdempotent(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), context -> {
                            service.call(context.uid(), "account of " + context.uid());
                            return null;
                        }))
                .finallyHolds(
                        "one account for each parent",
                        world -> assertThat(service.effects().values()).allMatch(count -> count == 1));
    }

    /** Indices are complete before other handlers are called, whatever comes first. */
    @Simulated(seeds = SEEDS)
    void doesNotDependOnTheOrderOfEvents(Simulation simulation) {
        Mistakes.withChildren(Parents.live(simulation))
                .operator(() -> Parents.clusterwide().onEvent("secrets", "child", h -> h.labels("parent"), context -> {
                    service.ensure(context.labels().getOrDefault("parent", ""));
                    return null;
                }))
                .finallyHolds(
                        "each parent is registered",
                        world -> Mistakes.parentsWithChildrenAreRegistered(world, service));
    }

    /** It writes only what is new. */
    @Simulated(seeds = SEEDS)
    void writesItsStatusOnce(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide().onEvent(CONFIG_MAPS, "mark", h -> h.labels(PARENT), context -> {
                    if (!context.annotations().containsKey("seen")) {
                        context.patch().annotation("seen", "yes");
                    }
                    return null;
                }));
    }

    /** The daemon belongs to the object; what it has made in a service belongs to a deletion handler. */
    @Simulated(seeds = SEEDS)
    void tidiesUpAfterADaemon(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onDaemon(CONFIG_MAPS, "watch", h -> h.labels(PARENT), context -> {
                            service.ensure(context.name());
                            while (!context.stopped().await(Duration.ofSeconds(10))) {
                                Mistakes.client(context)
                                        .configMaps()
                                        .inNamespace("default")
                                        .withName(context.name())
                                        .get();
                            }
                            return null;
                        })
                        .onDelete(CONFIG_MAPS, "delete", h -> h.labels(PARENT), this::remove))
                .finallyHolds(
                        "nobody is watched without a parent",
                        world -> assertThat(Mistakes.names(world)).containsAll(service.existing()));
    }

    /** The index may save a request, but the write itself must not depend on it. */
    @Simulated(seeds = SEEDS)
    void asksTheServerWhatTheIndexDoesNotHave(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onIndex(
                                "secrets",
                                "children",
                                h -> h.labels("parent"),
                                context -> Map.of(context.labels().get("parent"), context.name()))
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), CorrectedTest::applyNamed)
                        .onUpdate(CONFIG_MAPS, "update", h -> h.labels(PARENT), CorrectedTest::applyNamed))
                .finallyHolds("one child for each parent", Parents::oneChildEach);
    }

    /** What it needs after a restart follows from the object. */
    @Simulated(seeds = SEEDS)
    void remembersNothing(Simulation simulation) {
        Parents.live(simulation)
                .operator(this::forgetful)
                .finallyHolds("each parent is registered", this::nothingIsLeft);
    }

    private OperatorBuilder forgetful() {
        return Parents.clusterwide()
                .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), this::ensure)
                .onDelete(CONFIG_MAPS, "delete", h -> h.labels(PARENT), this::remove);
    }

    /**
     * It sets what there is to be, however often. After a restart, too: a call that was made but not recorded is not
     * noticed if the object is by then again as it was last recorded.
     */
    @Simulated(seeds = SEEDS)
    void setsStates(Simulation simulation) {
        Map<String, Integer> sizes = new ConcurrentHashMap<>();
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onField(CONFIG_MAPS, "resize", h -> h.labels(PARENT).field("data.size"), context -> {
                            sizes.put(
                                    context.uid(),
                                    context.newValue(String.class)
                                            .map(Integer::parseInt)
                                            .orElse(0));
                            return null;
                        })
                        .onResume(CONFIG_MAPS, "check", h -> h.labels(PARENT), context -> {
                            sizes.put(
                                    context.uid(),
                                    Integer.parseInt(context.body().at("data").getString("size", "0")));
                            return null;
                        }))
                .finallyHolds("the service knows the sizes", world -> {
                    for (ConfigMap parent : Parents.all(world.client())) {
                        assertThat(sizes.get(parent.getMetadata().getUid()))
                                .as("size of %s", parent.getMetadata().getName())
                                .isEqualTo(Integer.parseInt(Parents.size(parent)));
                    }
                });
    }

    /** A refused write fails the handler, which is called again; after a restart it is made again, as above. */
    @Simulated(seeds = SEEDS)
    void retriesConflicts(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onResume(CONFIG_MAPS, "resume", h -> h.labels(PARENT), CorrectedTest::applyNamed)
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), CorrectedTest::applyNamed)
                        .onUpdate(CONFIG_MAPS, "update", h -> h.labels(PARENT), CorrectedTest::applyNamed))
                .finallyHolds("children have the size of their parents", Mistakes::sizesAreEqual);
    }

    /** The patch names the object that it is meant for: the server refuses it for another one of the name. */
    @Simulated(seeds = SEEDS)
    void marksItsObjectOnly(Simulation simulation) {
        Parents.create(simulation)
                .operator(() -> Parents.clusterwide()
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), context -> {
                            Mistakes.mark(context, "{\"metadata\":{\"uid\":\"%s\",\"annotations\":{\"of\":\"%s\"}}}");
                            return null;
                        }))
                .always("each mark is of its object", Mistakes::marksAreOfTheirObjects);
    }

    /** The patch has the operator's own field alone. */
    @Simulated(seeds = SEEDS)
    void writesItsOwnFieldOnly(Simulation simulation) {
        Map<String, String> chosen = new ConcurrentHashMap<>();
        Parents.choose(simulation, chosen)
                .operator(() -> Parents.clusterwide()
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), CorrectedTest::writeSeen)
                        .onUpdate(CONFIG_MAPS, "update", h -> h.labels(PARENT), CorrectedTest::writeSeen))
                .finallyHolds("what people choose stays", world -> Parents.haveChosenSizes(world, chosen));
    }

    private static Object writeSeen(HandlerContext context) {
        Mistakes.mark(context, "{\"metadata\":{\"uid\":\"%s\"},\"data\":{\"seen\":\"yes\"}}");
        return "done";
    }
}
