import dev.kopf4j.*;
import dev.kopf4j.crd.*;
import dev.kopf4j.webhook.WebhookServer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Policies of the cluster: which images pods may have, and which labels they must have. */
class Policies {
    @CustomResource(group = "kopf.dev", version = "v1", scope = Scope.CLUSTER)
    record PodPolicy(PodPolicySpec spec, @Nullable PodPolicyStatus status) {}

    /**
     * What pods must be like.
     *
     * @param registries where their images come from; any place if there are none
     * @param labels which labels they have
     * @param defaults the values of labels that they do not have
     * @param action whether others are refused, or only warned of
     */
    record PodPolicySpec(
            @Schema(defaultValue = "[]") List<String> registries,
            @Schema(defaultValue = "[]") List<String> labels,
            @Schema(defaultValue = "{}") Map<String, String> defaults,
            @Schema(defaultValue = "deny") @PrinterColumn Action action) {}

    enum Action {
        deny,
        warn
    }

    /**
     * What there is already.
     *
     * @param violations how many pods break the policy
     */
    record PodPolicyStatus(@PrinterColumn @Nullable Integer violations) {}

    record Place(String namespace, String name) {}

    /** What policies look at. */
    record Pod(List<String> images, Map<String, String> labels) {
        static Pod of(Body body) {
            List<String> images = Stream.of("spec.initContainers", "spec.containers")
                    .flatMap(path -> body.getViews(path).stream())
                    .map(container -> container.getString("image", ""))
                    .toList();
            return new Pod(images, body.meta().labels());
        }

        List<String> violations(PodPolicySpec policy) {
            Stream<String> ofImages = images.stream()
                    .filter(image -> !policy.registries().isEmpty()
                            && policy.registries().stream().noneMatch(place -> image.startsWith(place + "/")))
                    .map(image -> "the image " + image + " is not from " + String.join(" or ", policy.registries()));
            Stream<String> ofLabels = policy.labels().stream()
                    .filter(label -> !labels.containsKey(label))
                    .map(label -> "the label " + label + " is missing");
            return Stream.concat(ofImages, ofLabels).toList();
        }
    }

    @OnStartup
    void configure(OperatorSettings settings) {
        if (settings.admission().server() == null) { // in a cluster, `kopf4j manifests` says where it is reached
            settings.admission().server(WebhookServer.auto());
        }
        settings.admission().managed("policies.kopf.dev");
    }

    @OnIndex
    Map<String, PodPolicySpec> policies(PodPolicy policy, String name) {
        return Map.of(name, policy.spec());
    }

    @OnIndex("pods")
    Map<Place, Pod> pods(String namespace, String name, Body body) {
        return Map.of(new Place(namespace, name), Pod.of(body));
    }

    /** Mutating handlers are asked before validating ones: what is filled in here is not missing there. */
    @OnMutate(value = "pods", operations = AdmissionOperation.CREATE)
    void fillIn(Map<String, String> labels, Index<String, PodPolicySpec> policies, Patch patch) {
        policies.values().stream()
                .flatMap(store -> store.stream())
                .flatMap(policy -> policy.defaults().entrySet().stream())
                .filter(label -> !labels.containsKey(label.getKey()))
                .forEach(label -> patch.label(label.getKey(), label.getValue()));
    }

    @OnValidate(
            value = "pods",
            operations = {AdmissionOperation.CREATE, AdmissionOperation.UPDATE},
            matchConditions = "!has(object.metadata.deletionTimestamp)") // or its finalizers could not be taken off
    void check(Body body, Index<String, PodPolicySpec> policies, Warnings warnings) {
        for (String name : policies.keySet().stream().sorted().toList()) {
            PodPolicySpec policy = policies.store(name).first().orElseThrow();
            for (String violation : Pod.of(body).violations(policy)) {
                if (policy.action() == Action.deny) {
                    throw new AdmissionException("Policy " + name + ": " + violation + ".", 403);
                }
                warnings.add("Policy " + name + ": " + violation + ".");
            }
        }
    }

    /** A policy that can never be met is a mistake. */
    @OnValidate(operations = {AdmissionOperation.CREATE, AdmissionOperation.UPDATE})
    void checkPolicy(PodPolicy policy) {
        for (String place : policy.spec().registries()) {
            if (place.contains("://") || place.endsWith("/")) {
                throw new AdmissionException(
                        "spec.registries: '" + place + "' is no registry; write it as in images, such as ghcr.io/team.",
                        422);
            }
        }
    }

    /** Pods that are older than the policy are not refused, but counted. */
    @OnTimer(interval = "10s")
    void count(PodPolicy policy, Index<Place, Pod> pods, Patch patch) {
        int violations = (int) pods.values().stream()
                .flatMap(store -> store.stream())
                .filter(pod -> !pod.violations(policy.spec()).isEmpty())
                .count();
        Integer known = policy.status() == null ? null : policy.status().violations();
        if (!Objects.equals(known, violations)) {
            patch.status().set("violations", violations);
        }
    }
}
