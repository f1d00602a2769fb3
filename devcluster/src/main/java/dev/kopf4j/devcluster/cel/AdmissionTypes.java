package dev.kopf4j.devcluster.cel;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The types of what expressions see of a request: {@code BuildRequestType} and {@code BuildNamespaceType} in
 * {@code pkg/admission/plugin/cel/compile.go} of the apiserver library, v1.33. Objects have no types there.
 */
final class AdmissionTypes {
    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType TEXTS = ListType.create(TEXT);
    private static final CelType TEXT_MAP = MapType.create(TEXT, TEXT);

    private final Map<String, CelType> named = new HashMap<>();

    /** All struct types by their names. */
    Map<String, CelType> named() {
        return named;
    }

    /** The names that all expressions know. */
    Map<String, CelType> names() {
        return Map.of(
                "object",
                SimpleType.DYN,
                "oldObject",
                SimpleType.DYN,
                "request",
                request(),
                "namespaceObject",
                namespace());
    }

    private CelType request() {
        CelType kind = struct("kubernetes.GroupVersionKind", Map.of("group", TEXT, "version", TEXT, "kind", TEXT));
        CelType resource =
                struct("kubernetes.GroupVersionResource", Map.of("group", TEXT, "version", TEXT, "resource", TEXT));
        CelType user = struct(
                "kubernetes.UserInfo",
                Map.of("username", TEXT, "uid", TEXT, "groups", TEXTS, "extra", MapType.create(TEXT, TEXTS)));
        Map<String, CelType> fields = new HashMap<>(Map.of(
                "kind", kind,
                "resource", resource,
                "subResource", TEXT,
                "requestKind", kind,
                "requestResource", resource,
                "requestSubResource", TEXT));
        fields.putAll(Map.of(
                "name", TEXT,
                "namespace", TEXT,
                "operation", TEXT,
                "userInfo", user,
                "dryRun", SimpleType.BOOL,
                "options", SimpleType.DYN));
        return struct("kubernetes.AdmissionRequest", fields);
    }

    private CelType namespace() {
        CelType condition = struct(
                "kubernetes.NamespaceCondition",
                Map.of(
                        "status", TEXT,
                        "type", TEXT,
                        "lastTransitionTime", SimpleType.TIMESTAMP,
                        "message", TEXT,
                        "reason", TEXT));
        CelType status =
                struct("kubernetes.NamespaceStatus", Map.of("conditions", ListType.create(condition), "phase", TEXT));
        CelType spec = struct("kubernetes.NamespaceSpec", Map.of("finalizers", TEXTS));
        return struct("kubernetes.Namespace", Map.of("metadata", namespaceMetadata(), "spec", spec, "status", status));
    }

    private CelType namespaceMetadata() {
        Map<String, CelType> fields = new HashMap<>(Map.of(
                "name", TEXT,
                "generateName", TEXT,
                "namespace", TEXT,
                "labels", TEXT_MAP,
                "annotations", TEXT_MAP,
                "UID", TEXT));
        fields.putAll(Map.of(
                "creationTimestamp", SimpleType.TIMESTAMP,
                "deletionGracePeriodSeconds", SimpleType.INT,
                "deletionTimestamp", SimpleType.TIMESTAMP,
                "generation", SimpleType.INT,
                "resourceVersion", TEXT,
                "finalizers", TEXTS));
        return struct("kubernetes.NamespaceMetadata", fields);
    }

    /** A type with these fields and no others. */
    CelType struct(String name, Map<String, CelType> fields) {
        ImmutableMap<String, CelType> fixed = ImmutableMap.copyOf(fields);
        StructType type = StructType.create(
                name, ImmutableSet.copyOf(fixed.keySet()), field -> Optional.ofNullable(fixed.get(field)));
        named.put(name, type);
        return type;
    }
}
