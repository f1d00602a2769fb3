package dev.kopf4j.cli.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The custom resource definitions in files that people name. Pure. */
public final class GivenDefinitions {
    /** Definitions have megabytes. */
    private static final int CODE_POINTS_MAX = 64 * 1024 * 1024;

    private GivenDefinitions() {}

    /** The definitions among the documents, by their names. */
    @SuppressWarnings("unchecked") // keys of manifests are texts
    public static Map<String, Map<String, Object>> of(ManifestFiles manifestFiles) {
        Map<String, Map<String, Object>> definitions = new LinkedHashMap<>();
        new Load(LoadSettings.builder().setCodePointLimit(CODE_POINTS_MAX).build())
                .loadAllFromString(manifestFiles.documents())
                .forEach(document -> {
                    if (document instanceof Map<?, ?> object
                            && "CustomResourceDefinition".equals(object.get("kind"))
                            && object.get("metadata") instanceof Map<?, ?> metadata) {
                        definitions.put(String.valueOf(metadata.get("name")), (Map<String, Object>) object);
                    }
                });
        return definitions;
    }
}
