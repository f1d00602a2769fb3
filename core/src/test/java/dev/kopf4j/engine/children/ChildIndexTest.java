package dev.kopf4j.engine.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Operator;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.children.KnownChildren.ChildNotice;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link ChildIndex}: what the handlers of parents that come and go are told of children. */
class ChildIndexTest {
    private static final Resource PODS = new Resource(
            "",
            "v1",
            new Resource.Names("pods", "Pod", "pod", Set.of(), Set.of()),
            Set.of(),
            true,
            true,
            Set.of("list"));
    private static final List<String> PARENT = List.of("parent");

    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final ChildIndex index = new ChildIndex(world);
    private final ChildTap tap = new ChildTap(index, watch(), null);
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final Runnable wake = wakeUps::incrementAndGet;
    private int version;

    private static ChildWatch watch() {
        OperatorPlan plan = OperatorPlan.of(
                Operator.builder().clusterwide().onChild("kopfexamples", "pods", "look", context -> null));
        return new ChildWatch(PODS, RegistryBuilder.build(plan.registrations()).handlers(), "kopf4j", false);
    }

    private ObjectNode pod(String phase) {
        return pod("ns", phase, "parent");
    }

    private ObjectNode pod(@Nullable String namespace, String phase, String... owners) {
        version++;
        ObjectNode body = Scenario.json("{'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'x', 'uid': 'u',"
                + " 'resourceVersion': '" + version + "'}, 'status': {'phase': '" + phase + "'}}");
        ObjectNode metadata = (ObjectNode) body.path("metadata");
        if (namespace != null) {
            metadata.put("namespace", namespace);
        }
        ArrayNode references = metadata.putArray("ownerReferences");
        for (String owner : owners) {
            references
                    .addObject()
                    .put("apiVersion", "kopf.dev/v1")
                    .put("kind", "KopfExample")
                    .put("name", "p")
                    .put("uid", owner);
        }
        return body;
    }

    private Reason told() {
        List<ChildNotice> notices = index.notices("parent");
        assertThat(notices).hasSize(1);
        ChildNotice notice = notices.getFirst();
        index.told("parent", notice, Objects.requireNonNull(notice.newest()));
        return notice.reason();
    }

    /** Its pods end later than the parent does: of none a body stays in memory. */
    @Test
    void nothingIsKeptOfChildrenThatEndAfterTheirParent() {
        index.parentIsThere(PARENT, "ns", wake, true);
        index.seen(tap, pod("Running"), false);
        assertThat(told()).isEqualTo(Reason.CREATE);
        index.parentIsGone(PARENT, wake);
        index.seen(tap, pod("Terminating"), false);
        index.gone(tap, pod("Terminating"));
        assertThat(index.notices("parent")).isEmpty();
    }

    /** A handler of a parent may hold a lock that it needs, and look at its children meanwhile. */
    @Test
    void whoFindsParentsHoldsUpNobodyWhoLooksAtChildren() {
        SystemPlatform real = new SystemPlatform();
        ChildIndex shared = new ChildIndex(real);
        List<Boolean> looked = new ArrayList<>();
        OperatorPlan plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .onChild(
                        "kopfexamples", "pods", "look", h -> h.parent(child -> find(real, shared, looked)), c -> null));
        ChildWatch watch =
                new ChildWatch(PODS, RegistryBuilder.build(plan.registrations()).handlers(), "kopf4j", false);
        ChildTap own = new ChildTap(shared, watch, null);
        shared.seen(own, pod("Pending"), true);
        shared.written(own, pod("Running"));
        shared.written(PODS, pod("Running"), null, false);
        assertThat(looked).containsExactly(true, true, true);
    }

    private static String find(SystemPlatform real, ChildIndex shared, List<Boolean> looked) {
        Task reader = real.spawn("reader", () -> shared.children("parent"));
        try {
            looked.add(reader.join(real.after(Duration.ofSeconds(10))));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "p";
    }

    /** Filters and types of handlers need it, whoever has told that the child is gone. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"an own client", "a list", "a successor of its name"})
    void theEndOfAChildIsToldWithItsLastState(String who) {
        index.parentIsThere(PARENT, "ns", wake, true);
        index.seen(tap, pod("Running"), false);
        assertThat(told()).isEqualTo(Reason.CREATE);
        switch (who) {
            case "an own client" -> index.deleted(tap, "u");
            case "a list" -> {
                index.listStarted(tap);
                index.listed(tap, "9");
            }
            default -> {
                ObjectNode successor = pod("Pending");
                successor.withObjectProperty("metadata").put("uid", "v");
                index.seen(tap, successor, false);
            }
        }
        ChildNotice end = index.notices("parent").getFirst();
        assertThat(end.reason()).isEqualTo(Reason.DELETE);
        assertThat(Objects.requireNonNull(end.newest()).parse().at("/status/phase"))
                .hasToString("\"Running\"");
    }

    /** Another replica had the parent meanwhile, and has told its handlers of the child. */
    @Test
    void aChildThatWasKnownIsNotNewToAParentThatComesBack() {
        index.parentIsThere(PARENT, "ns", wake, true);
        index.seen(tap, pod("Running"), false);
        assertThat(told()).isEqualTo(Reason.CREATE);
        index.parentIsGone(PARENT, wake);
        index.listStarted(tap);
        index.seen(tap, pod("Running"), true);
        index.parentIsThere(PARENT, "ns", wake, true);
        assertThat(told()).isEqualTo(Reason.RESUME);
        index.gone(tap, pod("Running"));
        assertThat(told()).isEqualTo(Reason.DELETE);
    }

    /** Its parent was another replica's, which has told it, or this one's, of which nothing was seen yet. */
    @ParameterizedTest(name = "of a parent that comes from another replica: {0}")
    @CsvSource({"true, RESUME", "false, CREATE"})
    void aChildThatIsKnownBeforeItsParentIsNewUnlessThatComesFromAnotherReplica(boolean fromOthers, Reason expected) {
        index.seen(tap, pod("Pending"), false);
        if (fromOthers) {
            index.parentsComeFromOthers();
        }
        index.seen(tap, pod("Running"), false);
        index.parentIsThere(PARENT, "ns", wake, true);
        assertThat(told()).isEqualTo(expected);
    }

    @Test
    void aChildOfAParentThatIsThereStaysNewWhenOtherParentsComeFromAnotherReplica() {
        index.parentIsThere(PARENT, "ns", wake, true);
        index.seen(tap, pod("Running"), false);
        index.parentsComeFromOthers();
        assertThat(told()).isEqualTo(Reason.CREATE);
        index.seen(tap, pod("Succeeded"), false);
        index.parentsComeFromOthers();
        assertThat(told()).isEqualTo(Reason.UPDATE);
    }

    /** By names, children belong to whoever has the name; the worker of the parent before may still be at work. */
    @Test
    void aParentThatEndsTakesNothingFromTheNextOneOfItsName() {
        List<String> woken = new ArrayList<>();
        Runnable next = () -> woken.add("next");
        index.parentIsThere(PARENT, "ns", wake, true);
        index.parentIsThere(PARENT, "ns", next, true);
        index.parentIsGone(PARENT, wake);
        index.seen(tap, pod("Running"), false);
        assertThat(woken).containsExactly("next");
        assertThat(told()).isEqualTo(Reason.CREATE);
        index.gone(tap, pod("Running"));
        assertThat(told()).isEqualTo(Reason.DELETE);
    }

    @Test
    void aParentIsToldOfChildrenThatHaveOutlivedAnotherOneOfItsName() {
        index.parentIsThere(PARENT, "ns", wake, true);
        index.seen(tap, pod("Running"), false);
        assertThat(told()).isEqualTo(Reason.CREATE);
        index.parentIsGone(PARENT, wake);
        index.parentIsThere(PARENT, "ns", () -> {}, true);
        assertThat(index.isDisturbed(PARENT)).isTrue();
        assertThat(told()).isEqualTo(Reason.RESUME);
    }

    /** Its handlers have made the child while the worker of the parent before was still busy. */
    @Test
    void aChildOfWhichNoParentOfTheNameWasToldIsNewToTheNextOne() {
        index.parentIsThere(PARENT, "ns", wake, true);
        index.seen(tap, pod("Pending"), false);
        assertThat(index.takeDisturbance(PARENT)).isTrue();
        index.parentIsThere(PARENT, "ns", () -> {}, true);
        assertThat(index.isDisturbed(PARENT)).isTrue();
        assertThat(told()).isEqualTo(Reason.CREATE);
        index.seen(tap, pod("Running"), false);
        assertThat(told()).isEqualTo(Reason.UPDATE);
    }

    @Test
    void aParentIsNotToldOfTheEndOfChildrenThatItHasNeverKnown() {
        index.parentIsThere(PARENT, "ns", wake, true);
        index.seen(tap, pod("Running"), false);
        index.gone(tap, pod("Running"));
        index.parentIsThere(PARENT, "ns", () -> {}, true);
        assertThat(index.notices("parent")).isEmpty();
    }

    /** Others are told of children of that resource, and this one is not: nothing waits for it. */
    @Test
    void nothingIsKeptForAParentWhoseHandlersAreNotTold() {
        index.parentIsThere(PARENT, "ns", wake, false);
        index.seen(tap, pod("Running"), false);
        index.takeDisturbance(PARENT);
        index.seen(tap, pod("Succeeded"), false);
        assertThat(index.isDisturbed(PARENT)).isFalse();
        index.gone(tap, pod("Succeeded"));
        assertThat(index.notices("parent")).isEmpty();
    }

    /** Whoever knows a uid can write it into an object of another namespace. */
    @ParameterizedTest(name = "of a parent in {0}, a child in {1}")
    @CsvSource({"ns, ns, true", "ns, other, false", "ns, , false", ", other, true", ", , true"})
    void anOwnerHasItsDependentsInItsOwnNamespace(
            @Nullable String parent, @Nullable String child, boolean expectedToBelong) {
        for (boolean childFirst : new boolean[] {false, true}) {
            if (childFirst) {
                index.seen(tap, pod(child, "Pending", "parent"), false);
            }
            index.parentIsThere(PARENT, parent, wake, true);
            index.takeDisturbance(PARENT);
            index.seen(tap, pod(child, "Running", "parent"), false);
            assertThat(index.isDisturbed(PARENT)).isEqualTo(expectedToBelong);
            assertThat(index.notices("parent")).hasSize(expectedToBelong ? 1 : 0);
            assertThat(index.children("parent")).hasSize(expectedToBelong ? 1 : 0);
            LiveChild known = Objects.requireNonNull(index.find(PODS, child, "x"));
            assertThat(known.belongsTo("parent")).isEqualTo(expectedToBelong);
            assertThat(index.hasParent(known)).isEqualTo(expectedToBelong);
            index.takeDisturbance(PARENT);
            index.gone(tap, pod(child, "Running", "parent"));
            assertThat(index.isDisturbed(PARENT)).isEqualTo(expectedToBelong);
            index.parentIsGone(PARENT, wake);
        }
        assertThat(wakeUps).hasValue(expectedToBelong ? 4 : 0);
    }

    /** Servers take any text as the uid of an owner. */
    @Test
    void noUidOfAnOwnerIsTheNameOfAParent() {
        OperatorPlan plan = OperatorPlan.of(Operator.builder()
                .clusterwide()
                .onChild("kopfexamples", "pods", "owned", context -> null)
                .onChild(
                        ResourceSelector.of("kopfexamples"),
                        ResourceSelector.of("pods"),
                        "seen",
                        options -> options.parentLabel("parent"),
                        context -> null));
        List<RegisteredHandler> handlers =
                RegistryBuilder.build(plan.registrations()).handlers();
        ChildTap both = new ChildTap(index, new ChildWatch(PODS, handlers, "kopf4j", false), null);
        ObjectReference shop = new ObjectReference("kopf.dev/v1", "KopfExample", "shop", "parent", "victim");
        List<String> keys = ChildIndex.ParentKeys.of("parent", shop, handlers);
        index.parentIsThere(keys, "victim", wake, true);
        index.seen(both, pod("attacker", "Running", keys.toArray(String[]::new)), false);
        assertThat(index.children(keys)).isEmpty();
        ObjectNode labelled = pod("victim", "Running");
        labelled.withObjectProperty("metadata").putObject("labels").put("parent", "shop");
        index.seen(both, labelled, false);
        assertThat(index.children(keys)).hasSize(1);
    }

    /** Each lookup among them was a walk through all of them: minutes for this. */
    @Test
    @Timeout(30)
    void manyOwnersOfOneChildTakeNoTimeThatGrowsWithTheirSquare() {
        String[] owners = Stream.concat(
                        IntStream.range(0, 50_000).mapToObj(number -> "owner-" + number), Stream.of("parent", "parent"))
                .toArray(String[]::new);
        index.parentIsThere(PARENT, "ns", wake, true);
        for (int change = 0; change < 10; change++) {
            index.seen(tap, pod("ns", "Running " + change, owners), false);
        }
        assertThat(told()).isEqualTo(Reason.CREATE);
        assertThat(Objects.requireNonNull(index.find(PODS, "ns", "x")).parents())
                .hasSize(50_001);
        index.seen(tap, pod("ns", "Running"), false);
        assertThat(told()).isEqualTo(Reason.DELETE);
    }
}
