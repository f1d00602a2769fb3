package dev.kopf4j.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.Index;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Disabled;

/** Operators with classic mistakes, and how they are found. */
@Disabled("run by MistakesTest")
class Mistakes {
    private static final int SEEDS = 1000;
    private static final String CONFIG_MAPS = "configmaps";
    private static final String PARENT = "role=parent";
    private final FakeService service = new FakeService();

    static SecretBuilder child(HandlerContext context) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .addToLabels("parent", context.name())
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName(context.name())
                .withUid(context.uid())
                .endOwnerReference()
                .endMetadata()
                .addToStringData("size", context.body().getString("data.size", ""));
    }

    static KubernetesClient client(HandlerContext context) {
        return context.service(KubernetesClient.class);
    }

    static Set<String> names(World world) {
        return Parents.all(world.client()).stream()
                .map(parent -> parent.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    private void nothingIsLeft(World world) {
        assertThat(service.existing()).isEqualTo(names(world));
    }

    /** After a kill between the creation and its record, a second child comes. */
    @Simulated(seeds = SEEDS)
    void createsChildrenWithoutChecking(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), context -> {
                            Secret child = child(context)
                                    .editMetadata()
                                    .withGenerateName(context.name() + "-")
                                    .endMetadata()
                                    .build();
                            return client(context)
                                    .resource(child)
                                    .create()
                                    .getMetadata()
                                    .getName();
                        }))
                .finallyHolds("one child for each parent", Parents::oneChildEach);
    }

    /** An event handler holds no object back: what is deleted while no operator runs is never cleaned up. */
    @Simulated(seeds = SEEDS)
    void cleansUpInAnEventHandler(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), context -> {
                            service.ensure(context.name());
                            return null;
                        })
                        .onEvent(CONFIG_MAPS, "delete", h -> h.labels(PARENT), context -> {
                            if (context.eventType()
                                    .filter(dev.kopf4j.EventType.DELETED::equals)
                                    .isPresent()) {
                                service.remove(context.name());
                            }
                            return null;
                        }))
                .finallyHolds("nothing is left in the service", this::nothingIsLeft);
    }

    /** Without an idempotency key, a call whose success was not recorded has its effect twice. */
    @Simulated(seeds = SEEDS)
    void isNotIdempotent(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), context -> {
                            service.call("account of " + context.uid());
                            return null;
                        }))
                .finallyHolds(
                        "one account for each parent",
                        world -> assertThat(service.effects().values()).allMatch(count -> count == 1));
    }

    /** It expects to have seen the parent before its child; lists and watches of two resources have no order. */
    @Simulated(seeds = SEEDS)
    void dependsOnTheOrderOfEvents(Simulation simulation) {
        withChildren(Parents.live(simulation))
                .operator(() -> {
                    Set<String> parents = ConcurrentHashMap.newKeySet();
                    return Parents.clusterwide()
                            .onEvent(CONFIG_MAPS, "parent", h -> h.labels(PARENT), context -> {
                                parents.add(context.name());
                                return null;
                            })
                            .onEvent("secrets", "child", h -> h.labels("parent"), context -> {
                                String parent = context.labels().getOrDefault("parent", "");
                                if (parents.contains(parent)) {
                                    service.ensure(parent);
                                }
                                return null;
                            });
                })
                .finallyHolds("each parent is registered", world -> parentsWithChildrenAreRegistered(world, service));
    }

    static Simulation withChildren(Simulation simulation) {
        return simulation.step("create a child", world -> {
            for (ConfigMap parent : Parents.all(world.client())) {
                String name = parent.getMetadata().getName();
                if (Parents.children(world.client(), name).isEmpty()) {
                    world.client()
                            .resource(new SecretBuilder()
                                    .withNewMetadata()
                                    .withName(name + "-child")
                                    .withNamespace("default")
                                    .addToLabels("parent", name)
                                    .endMetadata()
                                    .build())
                            .create();
                }
            }
        });
    }

    static void parentsWithChildrenAreRegistered(World world, FakeService service) {
        assertThat(service.existing())
                .containsAll(names(world).stream()
                        .filter(name -> !Parents.children(world.client(), name).isEmpty())
                        .toList());
    }

    /** Each event makes a change, which is an event. */
    @Simulated(seeds = SEEDS)
    void writesItsStatusInALoop(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide().onEvent(CONFIG_MAPS, "count", h -> h.labels(PARENT), context -> {
                    int seen = Integer.parseInt(context.annotations().getOrDefault("seen", "0"));
                    context.patch().annotation("seen", Integer.toString(seen + 1));
                    return null;
                }));
    }

    /** A daemon that ends without tidying up, when it is interrupted. */
    @Simulated(seeds = SEEDS)
    void leaksADaemon(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide().onDaemon(CONFIG_MAPS, "watch", h -> h.labels(PARENT), context -> {
                    service.ensure(context.name());
                    while (!context.stopped().await(Duration.ofSeconds(10))) {
                        client(context)
                                .configMaps()
                                .inNamespace("default")
                                .withName(context.name())
                                .get();
                    }
                    if (client(context)
                                    .configMaps()
                                    .inNamespace("default")
                                    .withName(context.name())
                                    .get()
                            == null) {
                        service.remove(context.name());
                    }
                    return null;
                }))
                .finallyHolds("nobody is watched without a parent", this::nothingIsLeft);
    }

    /** The index does not have the child that was just created. */
    @Simulated(seeds = SEEDS)
    void trustsAStaleIndex(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onIndex(
                                "secrets",
                                "children",
                                h -> h.labels("parent"),
                                context -> Map.of(context.labels().get("parent"), context.name()))
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), Mistakes::createUnlessIndexed)
                        .onUpdate(CONFIG_MAPS, "update", h -> h.labels(PARENT), Mistakes::createUnlessIndexed))
                .finallyHolds("one child for each parent", Parents::oneChildEach);
    }

    private static Object createUnlessIndexed(HandlerContext context) {
        Index<String, String> children = context.index("children");
        if (children.store(context.name()).isEmpty()) {
            client(context)
                    .resource(child(context)
                            .editMetadata()
                            .withGenerateName(context.name() + "-")
                            .endMetadata()
                            .build())
                    .create();
        }
        return "done";
    }

    /** What it has noted in memory is gone after a restart, when creations are not handled again. */
    @Simulated(seeds = SEEDS)
    void remembersInMemory(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> {
                    Map<String, String> known = new HashMap<>();
                    return Parents.clusterwide()
                            .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), context -> {
                                known.put(context.uid(), context.name());
                                service.ensure(context.name());
                                return null;
                            })
                            .onDelete(CONFIG_MAPS, "delete", h -> h.labels(PARENT), context -> {
                                if (known.containsKey(context.uid())) {
                                    service.remove(known.remove(context.uid()));
                                }
                                return null;
                            });
                })
                .finallyHolds("each parent is registered", this::nothingIsLeft);
    }

    /** A difference that is applied twice is wrong twice; a state would not be. */
    @Simulated(seeds = SEEDS)
    void addsDifferences(Simulation simulation) {
        Map<String, Integer> sizes = new HashMap<>();
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onField(CONFIG_MAPS, "resize", h -> h.labels(PARENT).field("data.size"), context -> {
                            int before = context.oldValue(String.class)
                                    .map(Integer::parseInt)
                                    .orElse(0);
                            int after = context.newValue(String.class)
                                    .map(Integer::parseInt)
                                    .orElse(0);
                            sizes.merge(context.uid(), after - before, Integer::sum);
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

    /** A refused write is not tried again, although the handler seems to succeed. */
    @Simulated(seeds = SEEDS)
    void swallowsConflicts(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), Mistakes::applyAndHope)
                        .onUpdate(CONFIG_MAPS, "update", h -> h.labels(PARENT), Mistakes::applyAndHope))
                .finallyHolds("children have the size of their parents", Mistakes::sizesAreEqual);
    }

    private static Object applyAndHope(HandlerContext context) {
        try {
            client(context)
                    .resource(child(context)
                            .editMetadata()
                            .withName(context.name() + "-child")
                            .endMetadata()
                            .build())
                    .forceConflicts()
                    .serverSideApply();
        } catch (KubernetesClientException e) {
            context.logger().info("never mind: {}", e.getMessage());
        }
        return "done";
    }

    /** What it marks by its name may be another object by then. */
    @Simulated(seeds = SEEDS)
    void marksByName(Simulation simulation) {
        Parents.create(simulation)
                .operator(() -> Parents.clusterwide()
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), context -> {
                            mark(context, "{\"metadata\":{\"annotations\":{\"of\":\"%s\"}}}");
                            return null;
                        }))
                .always("each mark is of its object", Mistakes::marksAreOfTheirObjects);
    }

    /** Patches the handled object, by its name, with its uid in place of {@code %s}. */
    static void mark(HandlerContext context, String json) {
        client(context)
                .configMaps()
                .inNamespace("default")
                .withName(context.name())
                .patch(PatchContext.of(PatchType.JSON_MERGE), json.replace("%s", context.uid()));
    }

    static void marksAreOfTheirObjects(World world) {
        assertThat(Parents.all(world.client()))
                .allSatisfy(parent -> assertThat(parent.getMetadata()
                                .getAnnotations()
                                .getOrDefault("of", parent.getMetadata().getUid()))
                        .isEqualTo(parent.getMetadata().getUid()));
    }

    /** What it writes back beside its own field undoes what somebody has changed since it was read. */
    @Simulated(seeds = SEEDS)
    void writesBackWhatItHasRead(Simulation simulation) {
        Map<String, String> chosen = new ConcurrentHashMap<>();
        Parents.choose(simulation, chosen)
                .operator(() -> Parents.clusterwide()
                        .onCreate(CONFIG_MAPS, "create", h -> h.labels(PARENT), Mistakes::writeBack)
                        .onUpdate(CONFIG_MAPS, "update", h -> h.labels(PARENT), Mistakes::writeBack))
                .finallyHolds("what people choose stays", world -> Parents.haveChosenSizes(world, chosen));
    }

    private static Object writeBack(HandlerContext context) {
        String size = context.body().getString("data.size", "");
        mark(context, "{\"metadata\":{\"uid\":\"%s\"},\"data\":{\"seen\":\"yes\",\"size\":\"" + size + "\"}}");
        return "done";
    }

    static void sizesAreEqual(World world) {
        for (ConfigMap parent : Parents.all(world.client())) {
            String name = parent.getMetadata().getName();
            assertThat(Parents.children(world.client(), name))
                    .as("children of %s", name)
                    .singleElement()
                    .satisfies(child -> assertThat(new String(
                                    java.util.Base64.getDecoder()
                                            .decode(child.getData().get("size")),
                                    java.nio.charset.StandardCharsets.UTF_8))
                            .isEqualTo(Parents.size(parent)));
        }
    }
}
