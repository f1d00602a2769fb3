package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.Memo;
import dev.kopf4j.OnChild;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDaemon;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnReconcile;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.examples.DocSnippets.Snippet;
import dev.kopf4j.testing.DevClusterOptions;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the operator of each snippet of the documentation in virtual time, on objects as its page has them in mind: they
 * are created, looked at for an hour, changed and deleted, and the operator is started again in between. Each handler
 * for objects is called, and none fails by what its page does not speak of.
 */
@ParameterizedClass
@MethodSource("operators")
class DocSnippetsRunTest {
    private static final ThreadLocal<Snippet> CURRENT = new ThreadLocal<>();

    private static final Set<Class<? extends Annotation>> FOR_OBJECTS = Set.of(
            OnCreate.class,
            OnUpdate.class,
            OnDelete.class,
            OnField.class,
            OnResume.class,
            OnEvent.class,
            OnTimer.class,
            OnDaemon.class,
            OnReconcile.class,
            OnChild.class);

    /** Those that cannot run so, and why. */
    private static final Map<String, String> NOT_RUN = Map.of(
            "coming-from-kopf.md #3", "has threads of its own, which virtual time does not know",
            "daemons.md #2", "sleeps in real time; DaemonsTest has its daemon",
            "memos.md #3", "makes its operator itself; it is called in DocSnippetsTest",
            "credentials.md #1", "logs in to a cluster of its own",
            "credentials.md #2", "logs in by the kubeconfig",
            "credentials.md #3", "logs in by the kubeconfig");

    /** Those that speak of what another one makes. */
    private static final Map<String, String> BESIDE = Map.of("children.md #4", "children.md #1");

    /** An object of a resource, and what is changed of it. */
    private record Example(String kind, String spec, String change) {}

    private static final Map<String, Example> EXAMPLES = Map.ofEntries(
            Map.entry(
                    "kopfexamples",
                    new Example(
                            "KopfExample",
                            "{size: 5, field: value, text: hello, times: 2, items: [a, b], node: node-a, users: [alice]}",
                            "{\"size\": 6, \"field\": \"other\", \"text\": \"bye\"}")),
            Map.entry("ephemeralvolumeclaims", new Example("EphemeralVolumeClaim", "{size: 1G}", "{\"size\": \"2G\"}")),
            Map.entry(
                    "websites",
                    new Example(
                            "Website",
                            "{image: nginx, replicas: 1, secret: key, html: hello}",
                            "{\"image\": \"nginx:1.30\", \"replicas\": 2}")),
            Map.entry(
                    "shops",
                    new Example(
                            "Shop",
                            "{replicas: 2, selector: {matchLabels: {app: shop}}, template: {metadata: {labels: {app: shop}}, spec: {containers: [{name: web, image: nginx}]}}}",
                            "{\"replicas\": 3}")),
            Map.entry("pools", new Example("Pool", "{size: 2}", "{\"size\": 3}")),
            Map.entry("webpages", new Example("WebPage", "{replicas: 1}", "{\"replicas\": 2}")),
            Map.entry("databases", new Example("Database", "{}", "{\"size\": 1}")),
            Map.entry("records", new Example("Record", "{address: a}", "{\"address\": \"b\"}")),
            Map.entry("backups", new Example("Backup", "{timeZone: Europe/Berlin}", "{\"timeZone\": \"UTC\"}")));

    /** Objects of the types that snippets declare. */
    private static final Map<String, Example> OF_TYPES = Map.of(
            "greetings", new Example("Greeting", "{name: world}", "{\"name\": \"you\"}"),
            "websites", new Example("Website", "{html: hello, replicas: 1}", "{\"replicas\": 2}"),
            "pages", new Example("Page", "{text: hello}", "{\"text\": \"bye\"}"));

    private static final Map<String, String> OTHER_SPECS =
            Map.of("handlers.md #9", "{items: [{name: a, size: 1}, {name: b, size: 2}]}");

    private static final Pattern NAMED = Pattern.compile("@On\\w+\\((?:(?:parent|value) = )?\"([a-z]+)\"");

    private final Snippet snippet;

    DocSnippetsRunTest(Snippet snippet) {
        this.snippet = snippet;
        CURRENT.set(snippet); // before the operator is made
    }

    static Stream<Snippet> operators() throws IOException {
        List<Snippet> operators = DocSnippets.snippets().stream()
                .filter(each -> !handlers(each).isEmpty())
                .filter(each ->
                        !each.code().contains("@KopfTest") && !each.code().contains("@Simulated"))
                .toList();
        assertThat(operators).extracting(Snippet::toString).containsAll(NOT_RUN.keySet());
        return operators.stream().filter(each -> !NOT_RUN.containsKey(each.toString()));
    }

    static void operator(OperatorBuilder builder) {
        Snippet snippet = CURRENT.get();
        Memo memo = new Memo();
        memo.put("owner", "me");
        DocSnippets.all()
                .classes(snippet)
                .filter(Class::isInterface)
                .filter(each -> each.getSimpleName().equals("Api"))
                .forEach(api -> memo.put("api", answering(api)));
        builder.clusterwide().memo(memo);
        snippets(snippet)
                .flatMap(each -> DocSnippets.all().handlerClasses(each).stream())
                .forEach(each -> builder.handlers(instance(each)));
    }

    private static Stream<Snippet> snippets(Snippet snippet) {
        String beside = BESIDE.get(snippet.toString());
        try {
            return DocSnippets.snippets().stream()
                    .filter(each -> each.toString().equals(beside) || each.equals(snippet));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Object instance(Class<?> type) {
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        try {
            return constructor.getParameterCount() == 0
                    ? type
                    : constructor.newInstance(Stream.of(constructor.getParameterTypes())
                            .map(DocSnippetsRunTest::answering)
                            .toArray());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** What stands for an API outside, or for a function. */
    private static Object answering(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            if (method.getReturnType() == Optional.class) {
                return Optional.empty();
            }
            return method.getReturnType() == void.class ? null : "made";
        });
    }

    /** The methods of a snippet that are called for objects. */
    private static Set<String> handlers(Snippet snippet) {
        return DocSnippets.all().handlerClasses(snippet).stream()
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> Stream.of(method.getAnnotations())
                        .anyMatch(each -> FOR_OBJECTS.contains(each.annotationType())))
                .map(DocSnippetsRunTest::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String id(Method method) {
        OnCreate create = method.getAnnotation(OnCreate.class);
        return create == null || create.id().isEmpty() ? method.getName() : create.id();
    }

    private Map<String, Example> examples() {
        Matcher named = NAMED.matcher(snippet.code());
        Map<String, Example> found = named.results()
                .map(each -> each.group(1))
                .distinct()
                .filter(EXAMPLES::containsKey)
                .collect(Collectors.toMap(Function.identity(), EXAMPLES::get));
        return found.isEmpty()
                ? OF_TYPES.entrySet().stream()
                        .filter(each -> snippet.code()
                                .contains("record " + each.getValue().kind() + "("))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue))
                : found;
    }

    private String group() {
        return snippet.code().contains("@CustomResource") ? "example.com" : "kopf.dev";
    }

    @Test
    @KopfTest(builder = "operator", start = false, time = TestTime.VIRTUAL)
    @DevClusterOptions(workloads = "1s")
    void callsEachOfItsHandlers(
            TestCluster cluster, TestedOperator operator, TestClock clock, KubernetesClient client) {
        examples().forEach((plural, example) -> define(cluster, plural, example));
        cluster.apply("""
                {apiVersion: v1, kind: Secret, metadata: {name: key}, stringData: {key: value}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: pod}, spec: {nodeName: node-a, containers: [{name: a, image: b}]}}
                """);
        operator.restart();
        examples().forEach((plural, example) -> cluster.apply(object(example)));
        clock.advance(Duration.ofHours(1));
        operator.kill();
        operator.restart();
        clock.advance(Duration.ofMinutes(1));
        examples().forEach((plural, example) -> change(client, example));
        clock.advance(Duration.ofMinutes(1));
        examples().forEach((plural, example) -> of(client, example).delete());
        clock.advance(Duration.ofMinutes(1));

        Set<String> uncalled = handlers(snippet);
        operator.calls()
                .forEach(call -> uncalled.removeIf(
                        each -> call.handler().equals(each) || call.handler().startsWith(each + "/")));
        assertThat(uncalled)
                .as("handlers of %s that were not called: %s", snippet, operator.history())
                .isEmpty();
        assertThat(operator.calls())
                .allSatisfy(call -> call.end()
                        .ifPresent(end -> assertThat(end.outcome())
                                .as("%s", call)
                                .isIn(HandlerCall.Outcome.SUCCEEDED, HandlerCall.Outcome.TEMPORARY)));
    }

    private void define(TestCluster cluster, String plural, Example example) {
        if (group().equals("kopf.dev")) {
            cluster.apply(DocSnippets.definition(plural, example.kind()));
        }
    }

    private String object(Example example) {
        return "{apiVersion: %s/v1, kind: %s, metadata: {name: one, labels: {app: one}}, spec: %s}"
                .formatted(group(), example.kind(), OTHER_SPECS.getOrDefault(snippet.toString(), example.spec()));
    }

    private Resource<GenericKubernetesResource> of(KubernetesClient client, Example example) {
        return client.genericKubernetesResources(group() + "/v1", example.kind())
                .inNamespace("default")
                .withName("one");
    }

    private void change(KubernetesClient client, Example example) {
        of(client, example).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": %s}".formatted(example.change()));
    }
}
