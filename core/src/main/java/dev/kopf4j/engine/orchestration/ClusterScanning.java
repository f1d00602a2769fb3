package dev.kopf4j.engine.orchestration;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.WellKnownResources;
import java.util.ArrayList;
import java.util.List;

/**
 * What the framework itself follows, in order to find what is to be watched. Immutable.
 *
 * @param watchesDefinitions true if it follows the definitions of resources
 * @param watchesNamespaces true if it follows the namespaces
 */
record ClusterScanning(boolean watchesDefinitions, boolean watchesNamespaces) {
    static ClusterScanning of(OperatorSettings.Scanning settings, WatchedNamespaces namespaces) {
        boolean scanning = !settings.disabled();
        return new ClusterScanning(scanning, scanning && namespaces.mustBeFound());
    }

    /** The followed resources, cluster-wide. */
    List<Resource> watched() {
        List<Resource> watched = new ArrayList<>();
        if (watchesDefinitions) {
            watched.add(WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS);
        }
        if (watchesNamespaces) {
            watched.add(WellKnownResources.NAMESPACES);
        }
        return watched;
    }
}
