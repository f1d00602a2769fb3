import dev.kopf4j.*;
import dev.kopf4j.crd.*;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Copies secrets into all namespaces that have certain labels, and keeps the copies as they ought to be. */
class SharedSecrets {
    @CustomResource(group = "kopf.dev", version = "v1", scope = Scope.CLUSTER, columns = {
        @PrinterColumn(name = "Ready", path = ".status.conditions[?(@.type==\"Ready\")].status"),
        @PrinterColumn(name = "Why", path = ".status.conditions[?(@.type==\"Ready\")].message")
    })
    record SharedSecret(SharedSecretSpec spec, @Nullable SharedSecretStatus status) {}

    /**
     * What is shared.
     *
     * @param from the secret
     * @param to the labels of the namespaces that get a copy, under the same name
     */
    record SharedSecretSpec(Source from, @Schema(minProperties = 1) Map<String, String> to) {}

    record Source(String namespace, String name) {}

    record SharedSecretStatus(@Schema(listMapKeys = "type") @Nullable List<Condition> conditions) {}

    record Content(String version, String type, Map<String, Object> data) {}

    @OnIndex("secrets")
    Map<Source, Content> contents(String namespace, String name, Body body) {
        String version = body.getString("metadata.resourceVersion", "");
        Content content = new Content(version, body.getString("type", "Opaque"), body.getMap("data"));
        return Map.of(new Source(namespace, name), content);
    }

    /** Those that are going get nothing any more. */
    @OnIndex("namespaces")
    Map<String, Map<String, String>> namespaces(String name, Meta meta, Map<String, String> labels) {
        return meta.deletionTimestamp().isPresent() ? Map.of() : Map.of(name, Map.copyOf(labels));
    }

    /** Says what ought to be; the framework creates, repairs and deletes. While this fails, nothing is deleted. */
    @OnReconcile(children = "secrets", backoff = "10s")
    List<Map<String, Object>> copies(
            SharedSecret share, Index<String, Map<String, String>> namespaces, Index<Source, Content> contents) {
        Source from = share.spec().from();
        Content content = contents.store(from).first().orElseThrow(() -> new TemporaryException(
                "There is no secret " + from.name() + " in the namespace " + from.namespace(), Duration.ofSeconds(10)));
        return targets(share.spec(), namespaces).stream().map(target -> copy(target, from.name(), content)).toList();
    }

    private static Map<String, Object> copy(String namespace, String name, Content content) {
        return Map.of(
                "apiVersion", "v1",
                "kind", "Secret",
                "metadata", Map.of("namespace", namespace, "name", name),
                "type", content.type(),
                "data", content.data());
    }

    /** Children follow their parent: so what has happened elsewhere is written there, if it matters for it. */
    @OnTimer(interval = "5s")
    void look(
            SharedSecret share,
            Map<String, String> annotations,
            Index<String, Map<String, String>> namespaces,
            Index<Source, Content> contents,
            Patch patch) {
        String version = contents.store(share.spec().from()).first().map(Content::version).orElse("none");
        String seen = version + " for " + String.join(", ", targets(share.spec(), namespaces));
        if (!seen.equals(annotations.get("kopf.dev/seen"))) {
            patch.annotation("kopf.dev/seen", seen);
        }
    }

    private static List<String> targets(SharedSecretSpec spec, Index<String, Map<String, String>> namespaces) {
        return namespaces.keySet().stream()
                .filter(name -> !name.equals(spec.from().namespace()))
                .filter(name -> namespaces.store(name).stream()
                        .anyMatch(labels -> labels.entrySet().containsAll(spec.to().entrySet())))
                .sorted()
                .toList();
    }
}
