package dev.kopf4j.devcluster.strategy.pod;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Warnings about volumes of plugins that are old or gone: {@code warningsForPodSpecAndMeta} in
 * {@code pkg/api/pod/warnings.go}, v1.33. Pure.
 */
final class PodVolumeWarnings {
    private static final Map<String, String> PLUGINS = new LinkedHashMap<>();

    static {
        PLUGINS.put("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+");
        PLUGINS.put("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+");
        PLUGINS.put("scaleIO", "deprecated in v1.16, non-functional in v1.22+");
        PLUGINS.put("flocker", "deprecated in v1.22, non-functional in v1.25+");
        PLUGINS.put("storageOS", "deprecated in v1.22, non-functional in v1.25+");
        PLUGINS.put("storageos", "deprecated in v1.22, non-functional in v1.25+");
        PLUGINS.put("quobyte", "deprecated in v1.22, non-functional in v1.25+");
        PLUGINS.put("glusterfs", "deprecated in v1.25, non-functional in v1.26+");
        PLUGINS.put("cephfs", "deprecated in v1.28, non-functional in v1.31+");
        PLUGINS.put("rbd", "deprecated in v1.28, non-functional in v1.31+");
    }

    private PodVolumeWarnings() {}

    static List<String> find(JsonNode volumes, String path) {
        List<String> warnings = new ArrayList<>();
        int index = 0;
        for (JsonNode volume : volumes) {
            String where = path + "[" + index++ + "].";
            PLUGINS.forEach((plugin, state) -> {
                if (volume.has(plugin)) {
                    warnings.add(where + (plugin.equals("storageos") ? "storageOS" : plugin) + ": " + state);
                }
            });
        }
        return warnings;
    }
}
