package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * More than fifteen situations of objects, made by kubectl, each with the words that {@code kopf4j why} prints. One
 * program follows most of them, as each start takes a second of the processor.
 */
@Tag("Q03")
class WhySituationsTest {
    private static final String AT = "2020-01-01T00:00:00Z";

    @TempDir
    private Path folder;

    private final AtomicInteger printed = new AtomicInteger();

    @Test
    void eachSituationHasItsWords() throws IOException {
        Kubectl.require();
        Path source = Files.writeString(folder.resolve("Example.java"), """
                import dev.kopf4j.*;

                class Example {
                    @OnCreate(value = "kex", retries = 3)
                    void create() {}

                    @OnUpdate("kex")
                    void update() {}

                    @OnUpdate(value = "kex", labels = "size=big")
                    void grow() {}

                    @OnField(value = "kex", field = "spec.a")
                    void field() {}

                    @OnResume("kex")
                    void resume() {}

                    @OnDelete("kex")
                    void delete() {}

                    @OnCreate(value = "kex", when = "isFine")
                    void fine() {}

                    boolean isFine() { throw new IllegalStateException("nobody calls it"); }

                    @OnTimer(value = "kex", interval = "60s")
                    void tick() {}
                }
                """);
        Path object = Files.writeString(folder.resolve("x.yaml"), """
                apiVersion: kopf.dev/v1
                kind: KopfExample
                metadata: {name: x, namespace: default, finalizers: [example.com/other]}
                spec: {a: 1}
                """);
        try (DevCluster cluster = DevCluster.start(Options.defaults().https(true))) {
            cluster.apply(TestCluster.manifest("examples/01-minimal/crd.yaml"));
            Path kubeconfig = folder.resolve("kubeconfig");
            cluster.writeKubeconfig(kubeconfig);
            Kubectl kubectl = Kubectl.of(folder, kubeconfig);
            String[] why = {"why", source.toString(), "kex/x", "-n", "default", "--kubeconfig", kubeconfig.toString()};
            try (RunningProgram follower = Kopf4j.start(and(why, "--follow"))) {
                says(
                        follower,
                        "kopfexamples.kopf.dev/x in 'default' does not exist (any more): no handler is called for it.");

                kubectl.run("apply", "-f", object.toString());
                says(
                        follower,
                        "kopfexamples.kopf.dev/x in 'default': it was not handled before: its creation is to be handled.",
                        "  the operator's finalizer is missing, and is added first",
                        "  @OnCreate 'create': would run now (create)",
                        "  @OnUpdate 'update': wrong cause: the object was not handled before: that is its creation, and"
                                + " @OnUpdate is not for that",
                        "  @OnCreate 'fine': may run, depending on a filter in code",
                        "  @OnTimer 'tick': may run, depending on memory: it runs beside the object, unless it has ended by"
                                + " itself");

                annotate(kubectl, "create", record("'delayed':'2060-01-01T00:00:00Z'", 1, "no disk"));
                says(follower, "attempt 2 of 3: no disk");

                annotate(
                        kubectl,
                        "create",
                        record("'stopped':'" + AT + "'", 1, "no disk").replace("'failure':false", "'failure':true"));
                says(follower, "  @OnCreate 'create': failed for good at 2020-01-01T00:00:00.000000+00:00: no disk");

                annotate(
                        kubectl,
                        "create",
                        record("'stopped':'" + AT + "'", 1, "").replace("'success':false", "'success':true"));
                says(follower, "  @OnCreate 'create': done at 2020-01-01T00:00:00Z");

                annotate(kubectl, "create", record("'delayed':null", 3, ""));
                says(
                        follower,
                        "  @OnCreate 'create': would fail for good now, without a call: Handler 'create' has exceeded 3"
                                + " retries.");

                annotate(kubectl, "create", null);
                annotate(kubectl, "last-handled-configuration", "{'spec':{'a':1}}");
                says(
                        follower,
                        "kopfexamples.kopf.dev/x in 'default': it was handled as it is: nothing that matters has changed since.",
                        "  @OnUpdate 'update': wrong cause: nothing that matters has changed since the object was handled",
                        "  @OnResume 'resume': may run, depending on memory: it is called once after each start of the"
                                + " operator");

                kubectl.run(
                        "patch",
                        "kex",
                        "x",
                        "--type=merge",
                        "-p",
                        "{\"spec\":{\"b\":2},\"metadata\":{\"labels\":{\"size\":\"small\"}}}");
                says(
                        follower,
                        "  @OnUpdate 'update': would run now (update)",
                        "  @OnUpdate 'grow': the filter on the label, size=big, does not match: it is \"small\"",
                        "  @OnField 'field/spec.a': spec.a has not changed: it is 1");

                annotate(kubectl, "paused", "true");
                says(
                        follower,
                        "kopfexamples.kopf.dev/x in 'default': it is paused.",
                        "  @OnUpdate 'update': paused by an annotation");

                annotate(kubectl, "paused", "all");
                says(
                        follower,
                        "kopfexamples.kopf.dev/x in 'default': it is paused, its deletion, too.",
                        "  @OnUpdate 'update': paused by an annotation, as is the deletion");
                annotate(kubectl, "paused", null);

                annotate(
                        kubectl,
                        "last-handled-configuration",
                        "{'metadata':{'labels':{'size':'small'}},'spec':{'a':1,'b':2}}");
                annotate(kubectl, "retry", "t1 update");
                says(
                        follower,
                        "  a retry was asked for (token 't1'), and is followed first",
                        "  @OnUpdate 'update': would run now (a retry was asked for)");
                annotate(kubectl, "retry", null);

                kubectl.run("delete", "kex", "x", "--wait=false");
                says(follower, "  @OnDelete 'delete': finalizers of others hold the deletion: example.com/other");
            }
            kubectl.run("create", "configmap", "c");
            String elsewhere = told(and(why, "--watched", "other"));
            assertThat(elsewhere).contains("not watched: the operator watches", "and the object is in 'default'");
            assertThat(told("why", source.toString(), "cm/c", "-n", "default", "--kubeconfig", kubeconfig.toString()))
                    .contains("configmaps/c in 'default': no handler of this operator is for configmaps.");
        }
    }

    private static String[] and(String[] first, String... more) {
        String[] all = Arrays.copyOf(first, first.length + more.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return all;
    }

    private static String record(String when, int retries, String message) {
        return "{'started':'" + AT + "'," + when + ",'purpose':'create','retries':" + retries
                + ",'success':false,'failure':false,'message':'" + message + "'}";
    }

    private static void annotate(Kubectl kubectl, String name, @Nullable String value) {
        String change = value == null ? "-" : "=" + value.replace('\'', '"');
        kubectl.run("annotate", "--overwrite", "kex", "x", "kopf.zalando.org/" + name + change);
    }

    /** Waits until it has printed these lines, after all that was waited for before. */
    private void says(RunningProgram follower, String... lines) {
        await().atMost(Kopf4j.PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() ->
                        assertThat(follower.output().substring(printed.get())).contains(lines));
        printed.set(follower.output().length());
    }

    private static String told(String... arguments) {
        try (RunningProgram program = Kopf4j.start(arguments)) {
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).as("%s", program).isZero();
            return program.output();
        }
    }
}
