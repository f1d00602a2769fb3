package dev.kopf4j.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Children;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnReconcile;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.testing.FailingTests;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Services whose calls take time and fail, and people who edit and delete children. */
@Tag("N04")
class ServicesAndChildrenTest {
    private static final String PARENT =
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: x, labels: {role: parent}}, data: {size: a}}";

    /** Opens an account by HTTP, and tries again where it does not know. */
    record Accounts(FakeHttp http, String path) {
        @OnCreate(value = "configmaps", labels = "role=parent", backoff = "1s")
        void open(String uid) throws IOException, InterruptedException {
            FakeHttp.Answer answer = http.send("PUT", path + uid, "{}");
            if (answer.status() >= 500) {
                throw new TemporaryException("the service is busy", Duration.ofSeconds(1));
            }
        }
    }

    private static void accounts(Simulation simulation, boolean idempotent) {
        FakeService service = new FakeService();
        FakeHttp http = new FakeHttp(request -> {
            if (idempotent) {
                service.call(request.path(), "account");
            } else {
                service.call("account");
            }
            return FakeHttp.Answer.of(201, "{}");
        });
        simulation
                .operator(() -> dev.kopf4j.Operator.builder().clusterwide().handlers(new Accounts(http, "/accounts/")))
                .setup("create", world -> world.apply(PARENT))
                .step("look", world -> {})
                .finallyHolds(
                        "there is one account",
                        world -> assertThat(service.effective("account")).isEqualTo(1));
    }

    @Simulated(
            seeds = 40,
            faults = {FaultKind.SERVICE, FaultKind.KILL})
    void whoSendsAKeyOpensOneAccount(Simulation simulation) {
        accounts(simulation, true);
    }

    static class Pages {
        @OnReconcile(value = "configmaps", labels = "role=parent", children = "secrets")
        void page(Children children) {
            children.add(Map.of("apiVersion", "v1", "kind", "Secret", "data", Map.of("size", "YQ==")));
        }
    }

    private static void hasItsChild(World world) {
        assertThat(world.client()
                        .secrets()
                        .inNamespace(world.namespace())
                        .list()
                        .getItems())
                .singleElement()
                .satisfies(child -> assertThat(child.getData()).containsEntry("size", "YQ=="));
    }

    @Simulated(
            value = Pages.class,
            seeds = 40,
            faults = {FaultKind.CHILD, FaultKind.KILL})
    void whoReconcilesRepairsItsChildren(Simulation simulation) {
        simulation
                .setup("create", world -> world.apply(PARENT))
                .step("look", world -> {})
                .finallyHolds("the child is as it ought to be", ServicesAndChildrenTest::hasItsChild);
    }

    /** Tidies up, and tells of it, as it would not if the process were killed. */
    record Locking(FakeService service) {
        @OnCreate("configmaps")
        void create(String name, KubernetesClient client) {
            if (service.existing().contains("lock")) {
                throw new TemporaryException("locked", Duration.ofSeconds(5));
            }
            service.ensure("lock");
            try {
                client.resource(new SecretBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withNamespace("default")
                                .endMetadata()
                                .build())
                        .serverSideApply();
            } catch (Throwable e) {
                service.call(e.getClass().getSimpleName());
                throw e;
            } finally {
                service.remove("lock");
            }
        }
    }

    private static Simulation locking(Simulation simulation, FakeService service) {
        return simulation
                .operator(() -> dev.kopf4j.Operator.builder().clusterwide().handlers(new Locking(service)))
                .step(
                        "create",
                        world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x"
                                + world.random().nextInt(5) + "}}"));
    }

    @Simulated(seeds = 20, faults = FaultKind.KILL, without = Rule.NO_WRITES_AT_REST)
    void whoIsDeadReachesNoService(Simulation simulation) {
        FakeService service = new FakeService();
        locking(simulation, service)
                .always(
                        "a killed operator tells nothing",
                        world -> assertThat(service.effects()).doesNotContainKey("KilledError"));
    }

    @Disabled("run by the tests below")
    static class Failing {
        @Simulated(seeds = 100, shrink = false, faults = FaultKind.KILL, without = Rule.NO_WRITES_AT_REST)
        void leavesALock(Simulation simulation) {
            FakeService service = new FakeService();
            locking(simulation, service)
                    .finallyHolds(
                            "no lock is left",
                            world -> assertThat(service.existing()).isEmpty());
        }

        @Simulated(
                seeds = 200,
                shrink = false,
                faults = {FaultKind.SERVICE, FaultKind.KILL})
        void opensTwoAccounts(Simulation simulation) {
            accounts(simulation, false);
        }

        @Simulated(seeds = 200, faults = FaultKind.CHILD)
        void makesItsChildOnce(Simulation simulation) {
            simulation
                    .operator(() -> Parents.clusterwide()
                            .onCreate("configmaps", "create", h -> h.labels("role=parent"), context -> {
                                Mistakes.client(context)
                                        .resource(Mistakes.child(context)
                                                .editMetadata()
                                                .withName("child")
                                                .endMetadata()
                                                .withStringData(Map.of("size", "a"))
                                                .build())
                                        .create();
                                return null;
                            }))
                    .setup("create", world -> world.apply(PARENT))
                    .step("look", world -> {})
                    .finallyHolds("the child is as it ought to be", ServicesAndChildrenTest::hasItsChild);
        }
    }

    @Test
    void aCallThatWasCutFromItsRecordIsFoundAndAPlanMayStayWhole() {
        assertThat(FailingTests.report(Failing.class, "opensTwoAccounts"))
                .contains("breaks the rule 'there is one account'")
                .contains("Its steps:")
                .contains("service  PUT /accounts/");
    }

    @Test
    void aLockThatAKillWouldLeaveIsFound() {
        assertThat(FailingTests.report(Failing.class, "leavesALock")).contains("breaks the rule 'no lock is left'");
    }

    @Test
    void whoMakesAChildOnceIsFound() {
        assertThat(FailingTests.report(Failing.class, "makesItsChildOnce"))
                .contains("breaks the rule 'the child is as it ought to be'")
                .containsPattern("somebody (edits|deletes) a child");
    }
}
