package dev.kopf4j.cli.manifests;

import static dev.kopf4j.cli.manifests.Pieces.list;
import static dev.kopf4j.cli.manifests.Pieces.map;

import dev.kopf4j.cli.process.OutputFolder;
import dev.kopf4j.engine.rights.RequiredRule;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All objects of an operator, by topic. Immutable.
 *
 * @param names how they are called
 * @param deployed how the operator runs
 * @param definitions its custom resource definitions
 * @param conversions the definitions into which it writes that it converts their objects, and the path of each
 * @param rules the rights that it needs
 */
public record OperatorManifests(
        Names names,
        Deployed deployed,
        List<Map<String, Object>> definitions,
        Map<String, String> conversions,
        List<RequiredRule> rules) {
    /**
     * What makes tools keep a definition that a release or Git does not have any more: with it, they would delete all
     * its objects.
     *
     * @see <a href="https://helm.sh/docs/howto/charts_tips_and_tricks/">Helm: tell it not to uninstall a resource</a>
     * @see <a href="https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/">Argo CD: sync options</a>
     * @see <a href="https://fluxcd.io/flux/components/kustomize/kustomizations/#prune">Flux: prune</a>
     */
    private static final Map<String, Object> KEPT = map(
            "helm.sh/resource-policy", "keep",
            "argocd.argoproj.io/sync-options", "Prune=false,Delete=false",
            "kustomize.toolkit.fluxcd.io/prune", "disabled");

    /** Copies the collections. */
    public OperatorManifests {
        definitions = List.copyOf(definitions);
        conversions = Map.copyOf(conversions);
        rules = List.copyOf(rules);
    }

    /** A folder for files of this operator: those that it can have are made anew by the same option. */
    OutputFolder folder(Path folder, String option, Set<String> possible) {
        String told = ", which makes it anew: do not edit.\n";
        return new OutputFolder(
                folder,
                "`kopf4j manifests` for this operator",
                possible,
                "# Made by `kopf4j manifests " + option + "` for '" + names.name() + "'" + told,
                "# Made by `kopf4j manifests`" + told); // of versions that did not say for whom
    }

    /**
     * The definitions, which name the Service where the operator is going to write that it converts their objects: who
     * replaces them, and does not merge into them, takes no webhook away then, and no object is stored unconverted.
     * Whom to trust stays for the operator to write: requests that need a conversion fail until then.
     */
    List<Manifest> convertedCrds() {
        return definitions.stream()
                .map(this::converted)
                .map(OperatorManifests::kept)
                .map(Manifest::of)
                .toList();
    }

    private Map<String, Object> converted(Map<String, Object> definition) {
        Deployed.WebhookService reached = deployed.service();
        Map<String, Object> spec = Pieces.part(definition, "spec");
        String path = conversions.get(Pieces.part(definition, "metadata").get("name"));
        boolean several = spec.get("versions") instanceof List<?> versions && versions.size() > 1;
        if (reached == null || path == null || !several || spec.containsKey("conversion")) {
            return definition;
        }
        Map<String, Object> with = new LinkedHashMap<>(spec);
        Map<String, Object> service =
                map("namespace", names.namespace(), "name", reached.name(names), "path", "/" + path);
        service.put("port", reached.port());
        Map<String, Object> webhook =
                map("clientConfig", map("service", service), "conversionReviewVersions", list("v1"));
        with.put("conversion", map("strategy", "Webhook", "webhook", webhook));
        Map<String, Object> whole = new LinkedHashMap<>(definition);
        whole.put("spec", with);
        return whole;
    }

    /** The definitions for whom it is not known where the operator is going to be; tools keep them. */
    List<Manifest> crds() {
        return definitions.stream()
                .map(OperatorManifests::kept)
                .map(Manifest::of)
                .toList();
    }

    /** What a definition says of these tools itself stays. */
    private static Map<String, Object> kept(Map<String, Object> definition) {
        Map<String, Object> metadata = copied(definition.get("metadata"));
        Map<String, Object> annotations = copied(metadata.get("annotations"));
        KEPT.forEach(annotations::putIfAbsent);
        metadata.put("annotations", annotations);
        Map<String, Object> kept = new LinkedHashMap<>(definition);
        kept.put("metadata", metadata);
        return kept;
    }

    private static Map<String, Object> copied(@Nullable Object map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        if (map instanceof Map<?, ?> known) {
            known.forEach((key, value) -> copy.put(String.valueOf(key), value));
        }
        return copy;
    }

    /** The namespaces other than the operator's own in which there are roles. */
    public Set<String> otherNamespaces() {
        Set<String> others = new TreeSet<>();
        for (Manifest manifest : rbac()) {
            Object namespace = Pieces.part(manifest.object(), "metadata").get("namespace");
            if (namespace != null && !namespace.equals(names.namespace())) {
                others.add(namespace.toString());
            }
        }
        return others;
    }

    /**
     * The namespace, in which only pods with as few privileges as the operator's may run; none if it is not its own,
     * since pods of others would be refused there.
     */
    List<Manifest> namespaces() {
        if (!names.hasOwnNamespace()) {
            return List.of();
        }
        Map<String, Object> labels = Pieces.labels(names);
        labels.put("pod-security.kubernetes.io/enforce", "restricted");
        return List.of(Manifest.of(Pieces.object("v1", "Namespace", map("name", names.namespace(), "labels", labels))));
    }

    /** The account, its roles, and what binds them. */
    List<Manifest> rbac() {
        List<RequiredRule> all = new ArrayList<>(rules);
        String authority =
                deployed.service() == null ? null : deployed.service().authority(names);
        if (authority != null) {
            all.addAll(RequiredRule.ofAuthority(RightScope.OWN, authority));
        }
        return new AccountManifests(names, all).objects();
    }

    Manifest deployment() {
        return Manifest.of(new DeploymentManifest(names, deployed).object());
    }

    /** The Service of the webhooks; none if there are no webhooks, or if they are reached in another way. */
    List<Manifest> services() {
        Deployed.WebhookService reached = deployed.service();
        if (reached == null) {
            return List.of();
        }
        String authority = reached.authority(names);
        Map<String, Object> metadata = Pieces.metadata(names);
        metadata.put("name", reached.name(names));
        Map<String, Object> service = Pieces.object("v1", "Service", metadata);
        service.put(
                "spec",
                map(
                        "selector",
                        Pieces.labels(names),
                        "ports",
                        list(map("name", "webhooks", "port", reached.port(), "targetPort", "webhooks"))));
        return List.of(new Manifest(
                service,
                List.of("Where the API server reaches the webhooks. The operator knows it by admission.server, if"
                        + " no start-up handler says otherwise: WebhookServer.local().port("
                        + reached.listening() + ").service(\"" + names.namespace() + "\", \""
                        + reached.name(names) + "\", " + reached.port() + ")"
                        + (authority == null
                                ? ""
                                : ".authority(WebhookAuthority.inSecret(\"" + names.namespace() + "\", \"" + authority
                                        + "\"))")
                        + ".")));
    }

    /** With several pods, one at a time goes when nodes are emptied; none if there is one pod. */
    List<Manifest> disruption() {
        if (!deployed.replicas().several()) {
            return List.of();
        }
        Map<String, Object> budget = Pieces.object("policy/v1", "PodDisruptionBudget", Pieces.metadata(names));
        budget.put(
                "spec",
                map(
                        "maxUnavailable",
                        1,
                        "selector",
                        map("matchLabels", Pieces.labels(names)),
                        // Pods that are not ready do not act anyway, and would keep their nodes from being emptied.
                        "unhealthyPodEvictionPolicy",
                        "AlwaysAllow"));
        return List.of(Manifest.of(budget));
    }

    /** All of them, in an order in which they can be applied. */
    public List<Manifest> all() {
        return Stream.of(convertedCrds(), namespaces(), rbac(), services(), disruption(), List.of(deployment()))
                .flatMap(List::stream)
                .toList();
    }

    OperatorManifests with(Names otherNames, Deployed otherDeployed) {
        return new OperatorManifests(otherNames, otherDeployed, definitions, conversions, rules);
    }
}
