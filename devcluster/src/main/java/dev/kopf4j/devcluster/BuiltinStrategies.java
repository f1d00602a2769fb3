package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.admissionregistration.AdmissionRegistrationStrategies;
import dev.kopf4j.devcluster.strategy.apiextensions.ApiExtensionsStrategies;
import dev.kopf4j.devcluster.strategy.apps.AppsStrategies;
import dev.kopf4j.devcluster.strategy.batch.BatchStrategies;
import dev.kopf4j.devcluster.strategy.certificates.CertificatesStrategies;
import dev.kopf4j.devcluster.strategy.core.CoreStrategies;
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
                        ApiExtensionsStrategies.all(),
                        AppsStrategies.all(),
                        BatchStrategies.all(),
                        CertificatesStrategies.all(clock))
                .flatMap(strategies -> strategies.entrySet().stream())
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
