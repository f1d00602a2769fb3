package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.admissionregistration.AdmissionRegistrationStrategies;
import dev.kopf4j.devcluster.strategy.apiextensions.ApiExtensionsStrategies;
import dev.kopf4j.devcluster.strategy.apiregistration.ApiRegistrationStrategies;
import dev.kopf4j.devcluster.strategy.apps.AppsStrategies;
import dev.kopf4j.devcluster.strategy.autoscaling.AutoscalingStrategies;
import dev.kopf4j.devcluster.strategy.batch.BatchStrategies;
import dev.kopf4j.devcluster.strategy.certificates.CertificatesStrategies;
import dev.kopf4j.devcluster.strategy.coordination.CoordinationStrategies;
import dev.kopf4j.devcluster.strategy.core.CoreStrategies;
import dev.kopf4j.devcluster.strategy.discovery.DiscoveryStrategies;
import dev.kopf4j.devcluster.strategy.flowcontrol.FlowControlStrategies;
import dev.kopf4j.devcluster.strategy.networking.NetworkingStrategies;
import dev.kopf4j.devcluster.strategy.node.NodeStrategies;
import dev.kopf4j.devcluster.strategy.policy.PolicyStrategies;
import dev.kopf4j.devcluster.strategy.rbac.RbacStrategies;
import dev.kopf4j.devcluster.strategy.scheduling.SchedulingStrategies;
import dev.kopf4j.devcluster.strategy.storage.StorageStrategies;
import java.time.InstantSource;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The strategies of all built-in kinds that have rules of their own. */
final class BuiltinStrategies {
    private BuiltinStrategies() {}

    /**
     * The strategies of one server, by the qualified names of resources.
     *
     * @param unboundClaimsGrow whether claims may grow before they are bound
     * @param clock for the times that strategies set
     * @param objectStore for strategies that look at other objects of their kind
     */
    static Map<String, ResourceStrategy> all(boolean unboundClaimsGrow, InstantSource clock, ObjectStore objectStore) {
        return Stream.of(
                        CoreStrategies.all(unboundClaimsGrow, objectStore),
                        AdmissionRegistrationStrategies.all(),
                        ApiRegistrationStrategies.all(),
                        FlowControlStrategies.all(),
                        NodeStrategies.all(),
                        ApiExtensionsStrategies.all(),
                        AppsStrategies.all(),
                        AutoscalingStrategies.all(),
                        BatchStrategies.all(),
                        CertificatesStrategies.all(clock),
                        CoordinationStrategies.all(),
                        DiscoveryStrategies.all(),
                        NetworkingStrategies.all(),
                        PolicyStrategies.all(),
                        RbacStrategies.all(),
                        SchedulingStrategies.all(),
                        StorageStrategies.all())
                .flatMap(strategies -> strategies.entrySet().stream())
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
