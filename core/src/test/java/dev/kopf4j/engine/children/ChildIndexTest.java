package dev.kopf4j.engine.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Operator;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.children.KnownChildren.ChildNotice;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link ChildIndex}: what the handlers of parents that come and go are told of children. */
class ChildIndexTest {
    private static final Resource PODS =
            new Resource("", "v1", "pods", "Pod", "pod", Set.of(), Set.of(), Set.of(), true, true, Set.of("list"));
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
        version++;
        return Scenario.json(
                "{'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'x', 'namespace': 'ns', 'uid': 'u',"
                        + " 'resourceVersion': '" + version
                        + "', 'ownerReferences': [{'apiVersion': 'kopf.dev/v1', 'kind':"
                        + " 'KopfExample', 'name': 'p', 'uid': 'parent'}]}, 'status': {'phase': '" + phase + "'}}");
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
        index.parentIsThere(PARENT, wake, true);
        index.seen(tap, pod("Running"), false);
        assertThat(told()).isEqualTo(Reason.CREATE);
        index.parentIsGone(PARENT, wake);
        index.seen(tap, pod("Terminating"), false);
        index.gone(tap, pod("Terminating"));
        assertThat(index.notices("parent")).isEmpty();
    }

    /** Another replica had the parent meanwhile, and has told its handlers of the child. */
    @Test
    void aChildThatWasKnownIsNotNewToAParentThatComesBack() {
        index.parentIsThere(PARENT, wake, true);
        index.seen(tap, pod("Running"), false);
        assertThat(told()).isEqualTo(Reason.CREATE);
        index.parentIsGone(PARENT, wake);
        index.listStarted(tap);
        index.seen(tap, pod("Running"), true);
        index.parentIsThere(PARENT, wake, true);
        assertThat(told()).isEqualTo(Reason.RESUME);
        index.gone(tap, pod("Running"));
        assertThat(told()).isEqualTo(Reason.DELETE);
    }

    /** By names, children belong to whoever has the name; the worker of the parent before may still be at work. */
    @Test
    void aParentThatEndsTakesNothingFromTheNextOneOfItsName() {
        List<String> woken = new ArrayList<>();
        Runnable next = () -> woken.add("next");
        index.parentIsThere(PARENT, wake, true);
        index.parentIsThere(PARENT, next, true);
        index.parentIsGone(PARENT, wake);
        index.seen(tap, pod("Running"), false);
        assertThat(woken).containsExactly("next");
        assertThat(told()).isEqualTo(Reason.CREATE);
        index.gone(tap, pod("Running"));
        assertThat(told()).isEqualTo(Reason.DELETE);
    }

    @Test
    void aParentIsToldOfChildrenThatHaveOutlivedAnotherOneOfItsName() {
        index.parentIsThere(PARENT, wake, true);
        index.seen(tap, pod("Running"), false);
        assertThat(told()).isEqualTo(Reason.CREATE);
        index.parentIsGone(PARENT, wake);
        index.parentIsThere(PARENT, () -> {}, true);
        assertThat(index.isDisturbed(PARENT)).isTrue();
        assertThat(told()).isEqualTo(Reason.RESUME);
    }

    /** Its handlers have made the child while the worker of the parent before was still busy. */
    @Test
    void aChildOfWhichNoParentOfTheNameWasToldIsNewToTheNextOne() {
        index.parentIsThere(PARENT, wake, true);
        index.seen(tap, pod("Pending"), false);
        assertThat(index.takeDisturbance(PARENT)).isTrue();
        index.parentIsThere(PARENT, () -> {}, true);
        assertThat(index.isDisturbed(PARENT)).isTrue();
        assertThat(told()).isEqualTo(Reason.CREATE);
        index.seen(tap, pod("Running"), false);
        assertThat(told()).isEqualTo(Reason.UPDATE);
    }

    @Test
    void aParentIsNotToldOfTheEndOfChildrenThatItHasNeverKnown() {
        index.parentIsThere(PARENT, wake, true);
        index.seen(tap, pod("Running"), false);
        index.gone(tap, pod("Running"));
        index.parentIsThere(PARENT, () -> {}, true);
        assertThat(index.notices("parent")).isEmpty();
    }

    /** Others are told of children of that resource, and this one is not: nothing waits for it. */
    @Test
    void nothingIsKeptForAParentWhoseHandlersAreNotTold() {
        index.parentIsThere(PARENT, wake, false);
        index.seen(tap, pod("Running"), false);
        index.takeDisturbance(PARENT);
        index.seen(tap, pod("Succeeded"), false);
        assertThat(index.isDisturbed(PARENT)).isFalse();
        index.gone(tap, pod("Succeeded"));
        assertThat(index.notices("parent")).isEmpty();
    }
}
