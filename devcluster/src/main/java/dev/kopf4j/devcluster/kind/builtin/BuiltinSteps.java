package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.kind.KindRules;
import java.util.Map;

/** All steps by the names that the data of resources use. */
public final class BuiltinSteps {
    private BuiltinSteps() {}

    /** The steps of one server. */
    public static Map<String, KindRules> all() {
        return Map.of(
                "secret", new SecretStep(),
                "configMap", new ConfigMapStep(),
                "namespace", new NamespaceStep(),
                "claim", new PhaseStep("Pending"),
                "pod", new PhaseStep("Pending"),
                "service", new ServiceStep(),
                "crd", new DefinitionStep());
    }
}
