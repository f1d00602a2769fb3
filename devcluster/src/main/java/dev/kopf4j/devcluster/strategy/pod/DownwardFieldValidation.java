package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Fields of its pod that a container sees: {@code validateObjectFieldSelector} in
 * {@code pkg/apis/core/validation/validation.go} and {@code ConvertDownwardAPIFieldLabel} in
 * {@code pkg/apis/core/pods/helpers.go}, v1.33. Pure.
 */
final class DownwardFieldValidation {
    /** The fields that variables may show. */
    static final Set<String> OF_VARIABLES = new TreeSet<>(Set.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs"));

    /** The fields that files may show. */
    static final Set<String> OF_FILES = new TreeSet<>(
            Set.of("metadata.name", "metadata.namespace", "metadata.labels", "metadata.annotations", "metadata.uid"));

    private static final Set<String> KNOWN = Set.of(
            "metadata.annotations",
            "metadata.labels",
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.serviceAccountName",
            "spec.schedulerName",
            "status.phase",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs",
            "spec.host");

    private static final Pattern SUBSCRIPTED = Pattern.compile("(.+)\\['(.*)'\\]");

    private DownwardFieldValidation() {}

    static void check(JsonNode selector, Set<String> supported, String path, FieldChecks checks) {
        String fieldPath = Json.string(selector, "fieldPath");
        String where = path + ".fieldPath";
        if (fieldPath.isEmpty()) {
            checks.add(FieldError.required(where, ""));
            return;
        }
        Matcher subscripted = SUBSCRIPTED.matcher(fieldPath);
        String known = subscripted.matches() ? subscripted.group(1) : fieldPath;
        boolean ofMap = known.equals("metadata.labels") || known.equals("metadata.annotations");
        if (!KNOWN.contains(known) || (subscripted.matches() && !ofMap)) {
            checks.problem("error converting fieldPath: field label not supported: " + fieldPath, where, fieldPath);
        } else if (subscripted.matches()) {
            String key = subscripted.group(2);
            String name = known.equals("metadata.annotations") ? key.toLowerCase(Locale.ROOT) : key;
            checks.problem(LabelSyntax.key(name), path, name);
        } else if (!supported.contains(known)) {
            checks.add(FieldError.notSupported(where, FieldError.quote(known), supported));
        }
    }
}
