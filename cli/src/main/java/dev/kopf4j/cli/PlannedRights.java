package dev.kopf4j.cli;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.rights.RightsPlan.RequiredRights;
import java.util.List;
import java.util.Map;

/**
 * What is known of an operator that is to run in a cluster. Immutable but for the settings.
 *
 * @param rights what it needs
 * @param definitions its custom resource definitions
 * @param settings how it works
 * @param conversions the definitions into which it writes that it converts their objects, and the path of each
 * @param hasWebhooks true if the API server asks it for anything
 */
record PlannedRights(
        RequiredRights rights,
        List<Map<String, Object>> definitions,
        OperatorSettings settings,
        Map<String, String> conversions,
        boolean hasWebhooks) {
    PlannedRights {
        definitions = List.copyOf(definitions);
        conversions = Map.copyOf(conversions);
    }
}
