package dev.kopf4j.cli.manifests;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The objects of an operator as a Helm chart: definitions in {@code crds}, everything else as templates.
 * {@code Chart.yaml} and {@code values.yaml} are written once, for people to edit.
 *
 * @see <a href="https://helm.sh/docs/topics/charts/">Charts</a>
 */
public record HelmChart(OperatorManifests manifests) {
    /** A whole value, in place of which the text of values stands. */
    private static final Pattern SCALAR = Pattern.compile("(?m)\"@value (\\w+)@\"$");

    private static final Pattern TREE = Pattern.compile("(?m)^( *)(\\w+): \"@yaml (\\w+)@\"$");
    private static final Pattern FINE = Pattern.compile("(?m)^( *- *\"?" + PlanJob.FINE + "\"?)$");
    private static final int INDENT = 2;

    private static final Set<String> FILES = Set.of(
            "crds/crds.yaml",
            "templates/rbac.yaml",
            "templates/service.yaml",
            "templates/disruption.yaml",
            "templates/deployment.yaml",
            "templates/plan.yaml");

    /** In front of the Deployment of an operator without an election. */
    private static final String ONE_ONLY = """
            {{- if gt (int .Values.replicas) 1 }}
            {{- fail "replicas above 1 would all act on the same objects: make the chart anew with --leader-elect or --shards" }}
            {{- end }}
            """;

    /**
     * Writes the chart.
     *
     * @throws dev.kopf4j.cli.process.CommandException if that is not possible
     */
    public void write(Path folder) {
        OperatorManifests templates =
                manifests.with(Names.ofRelease(), manifests.deployed().withImage("{{ .Values.image }}"));
        ManifestFolder files =
                new ManifestFolder(folder, "--helm", manifests.names().name(), FILES);
        files.begun("Chart.yaml", plain(chart()));
        files.begun("values.yaml", plain(values()));
        if (!manifests.definitions().isEmpty()) {
            files.made("crds/crds.yaml", ManifestText.of(manifests.crds()));
        }
        files.made("templates/rbac.yaml", ManifestText.of(templates.rbac()));
        if (!templates.services().isEmpty()) {
            files.made("templates/service.yaml", ManifestText.of(templates.services()));
        }
        if (!templates.disruption().isEmpty()) {
            files.made("templates/disruption.yaml", ManifestText.of(templates.disruption()));
        }
        files.made(
                "templates/deployment.yaml", (manifests.deployed().several() ? "" : ONE_ONLY) + deployment(templates));
        files.made("templates/plan.yaml", plan(templates));
        files.write();
    }

    private static String plain(Map<String, Object> object) {
        return ManifestText.of(List.of(Manifest.of(object)));
    }

    private Map<String, Object> chart() {
        return Pieces.map(
                "apiVersion", "v2",
                "name", manifests.names().name(),
                "description", "The operator " + manifests.names().name(),
                "type", "application",
                "version", "0.1.0");
    }

    private Map<String, Object> values() {
        return Pieces.map(
                "image", manifests.deployed().image(),
                "replicas", manifests.deployed().replicas(),
                "env", new DeploymentManifest(manifests.names(), manifests.deployed()).environment(),
                "resources", DeploymentManifest.resources(),
                "plan", Pieces.map("enabled", false, "failOnChanges", false),
                "podAnnotations", DeploymentManifest.scraped(),
                "nodeSelector", Map.of(),
                "tolerations", List.of(),
                "affinity", Map.of());
    }

    private static String deployment(OperatorManifests templates) {
        Map<String, Object> object = templates.deployment().object();
        Pieces.part(object, "spec").put("replicas", "@value replicas@");
        Pieces.part(object, "spec", "template", "metadata").put("annotations", "@yaml podAnnotations@");
        Map<String, Object> pod = Pieces.part(object, "spec", "template", "spec");
        for (String value : List.of("nodeSelector", "tolerations", "affinity")) {
            pod.put(value, "@yaml " + value + "@");
        }
        Map<String, Object> container = Pieces.part(pod, "containers");
        container.put("env", "@yaml env@");
        container.put("resources", "@yaml resources@");
        return filled(plain(object));
    }

    /**
     * A job that says before an upgrade what the new image would do; off unless somebody wants it.
     *
     * @see <a href="https://helm.sh/docs/topics/charts_hooks/">Chart hooks</a>
     */
    private static String plan(OperatorManifests templates) {
        String job = plain(new PlanJob(new DeploymentManifest(templates.names(), templates.deployed())).object());
        // Values of charts that were begun before have no plan.
        return "{{- if (.Values.plan).enabled }}\n"
                + FINE.matcher(job).replaceAll("{{- if not (.Values.plan).failOnChanges }}\n$1\n{{- end }}")
                + "{{- end }}\n";
    }

    private static String filled(String text) {
        String scalars = SCALAR.matcher(text).replaceAll("{{ .Values.$1 }}");
        return TREE.matcher(scalars).replaceAll(found -> {
            int indent = found.group(1).length() + INDENT;
            return found.group(1) + found.group(2) + ":\n" + " ".repeat(indent) + "{{- toYaml .Values." + found.group(3)
                    + " | nindent " + indent + " }}";
        });
    }
}
