package dev.kopf4j.cli.manifests;

import dev.kopf4j.cli.process.OutputFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    /** An element of a list, in place of which the variables of values stand. */
    private static final String ADDED = "@env@";

    private static final Pattern ADDITIONS = Pattern.compile("(?m)^( *)- \"" + ADDED + "\"\n");

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
        OutputFolder files = manifests.folder(folder, "--helm", FILES);
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
                "templates/deployment.yaml",
                (manifests.deployed().replicas().several() ? "" : ONE_ONLY) + deployment(templates));
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
                "replicas", manifests.deployed().replicas().count(),
                "env", List.of(),
                "resources", DeploymentManifest.resources(),
                "plan", Pieces.map("enabled", false, "failOnChanges", false, PlanJob.TIME, PlanJob.SECONDS),
                "podAnnotations", DeploymentManifest.scraped(),
                "nodeSelector", Map.of(),
                "tolerations", List.of(),
                "affinity", Map.of());
    }

    private static String deployment(OperatorManifests templates) {
        Map<String, Object> object = templates.deployment().object();
        Pieces.part(object, "spec").put("replicas", "@value replicas@");
        Pieces.part(object, "spec", "template", "metadata").put("annotations", "@yaml podAnnotations@");
        byValues(object);
        return filled(templates, object);
    }

    /** Lets values decide on the pods of a Deployment or a Job. */
    private static void byValues(Map<String, Object> object) {
        Map<String, Object> pod = Pieces.part(object, "spec", "template", "spec");
        for (String value : List.of("nodeSelector", "tolerations", "affinity")) {
            pod.put(value, "@yaml " + value + "@");
        }
        Map<String, Object> container = Pieces.part(pod, "containers");
        // What the command has said stays in the template: values, which are written once, would keep what it was.
        List<Object> variables = new ArrayList<>((List<?>) Objects.requireNonNull(container.get("env")));
        variables.add(ADDED);
        container.put("env", variables);
        container.put("resources", "@yaml resources@");
    }

    /**
     * A job that says before an upgrade what the new image would do; off unless somebody wants it.
     *
     * @see <a href="https://helm.sh/docs/topics/charts_hooks/">Chart hooks</a>
     */
    private static String plan(OperatorManifests templates) {
        Map<String, Object> object =
                new PlanJob(new DeploymentManifest(templates.names(), templates.deployed())).object();
        byValues(object);
        // A number of values is one with a fraction, which templates write with an exponent if it is large.
        String job = filled(templates, object)
                .replace(
                        PlanJob.TIME + ": " + PlanJob.SECONDS,
                        PlanJob.TIME + ": {{ (.Values.plan)." + PlanJob.TIME + " | default " + PlanJob.SECONDS
                                + " | int64 }}");
        // Values of charts that were begun before have no plan.
        return "{{- if (.Values.plan).enabled }}\n"
                + FINE.matcher(job).replaceAll("{{- if not (.Values.plan).failOnChanges }}\n$1\n{{- end }}")
                + "{{- end }}\n";
    }

    /**
     * The variables that values add.
     *
     * @param own the names of those that the template has, which nothing may have twice
     */
    private static String added(String own, int indent) {
        return """
            {{- range .Values.env }}
            {{- if has .name (list %s) }}
            {{- fail (printf "env has %%s, which the chart itself sets by what `kopf4j manifests` was told: take it out of the values" .name) }}
            {{- end }}
            {{- toYaml (list .) | nindent %s }}
            {{- end }}
            """.formatted(own, indent);
    }

    private static String filled(OperatorManifests templates, Map<String, Object> object) {
        String own = new DeploymentManifest(templates.names(), templates.deployed())
                .environment().stream()
                        .map(variable -> "\"" + ((Map<?, ?>) variable).get("name") + "\"")
                        .collect(Collectors.joining(" "));
        String scalars = ADDITIONS
                .matcher(SCALAR.matcher(plain(object)).replaceAll("{{ .Values.$1 }}"))
                .replaceAll(found -> added(own, found.group(1).length()));
        return TREE.matcher(scalars).replaceAll(found -> {
            int indent = found.group(1).length() + INDENT;
            return found.group(1) + found.group(2) + ":\n" + " ".repeat(indent) + "{{- toYaml .Values." + found.group(3)
                    + " | nindent " + indent + " }}";
        });
    }
}
