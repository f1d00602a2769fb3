package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.admission.AdmissionAttributes;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectStore;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs the built-in admission plugins LimitRanger, Priority and RuntimeClass ({@code plugin/pkg/admission}, v1.33) for
 * new objects. Thread-safe.
 */
public final class BuiltinPlugins {
    private static final Plugin NONE = new Plugin() {};
    private final LimitRanger limitRanger;
    private final PodPriority podPriority;
    private final PodRuntimeClass podRuntimeClass;
    private final ClaimResize claimResize;
    private final QuotaAccounting quotas;
    private final Map<String, Plugin> byBucket;

    /**
     * Finds what they look at in a store.
     *
     * @param claimsGrowAnyhow whether claims may grow although they are not bound, or their class does not let them
     */
    public BuiltinPlugins(ObjectStore objectStore, boolean claimsGrowAnyhow) {
        this.claimResize = new ClaimResize(objectStore, claimsGrowAnyhow);
        this.quotas = new QuotaAccounting(objectStore);
        this.limitRanger = new LimitRanger(objectStore);
        this.podPriority = new PodPriority(objectStore);
        this.podRuntimeClass = new PodRuntimeClass(objectStore);
        this.byBucket = Map.of(
                Buckets.PODS, new PodPlugins(),
                Buckets.PERSISTENT_VOLUME_CLAIMS, new ClaimPlugins(),
                Buckets.PRIORITY_CLASSES, new PriorityClassPlugin());
    }

    /** A plugin refuses an operation; the message is that for the client. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }

    /** What is done about the objects of a resource. */
    private interface Plugin {
        default void mutateNew(String namespace, ObjectNode object) throws Refused {}

        default void validateNew(String namespace, ObjectNode object) throws Refused {}

        default void validateChange(ObjectNode before, ObjectNode object) throws Refused {}

        /** New objects and changed ones. */
        default void validate(ObjectNode object) throws Refused {}
    }

    private final class PodPlugins implements Plugin {
        @Override
        public void mutateNew(String namespace, ObjectNode object) throws Refused {
            limitRanger.setDefaults(namespace, object);
            podPriority.set(object);
            podRuntimeClass.set(object);
        }

        @Override
        public void validateNew(String namespace, ObjectNode object) throws Refused {
            podRuntimeClass.validate(object);
            limitRanger.validatePod(namespace, object);
        }
    }

    private final class ClaimPlugins implements Plugin {
        @Override
        public void validateNew(String namespace, ObjectNode object) throws Refused {
            limitRanger.validateClaim(namespace, object);
        }

        @Override
        public void validateChange(ObjectNode before, ObjectNode object) throws Refused {
            claimResize.validate(before, object);
        }
    }

    private final class PriorityClassPlugin implements Plugin {
        @Override
        public void validate(ObjectNode object) throws Refused {
            podPriority.validateDefault(object);
        }
    }

    /** Sets what follows from other objects; once more makes no difference. */
    public void mutate(AdmissionAttributes creation, ObjectNode object) {
        try {
            of(creation).mutateNew(creation.namespace(), object);
        } catch (Refused e) {
            throw refusal(creation, e);
        }
    }

    /** Refuses a new object that other objects do not allow. */
    public void validateNew(AdmissionAttributes creation, ObjectNode object) {
        try {
            Plugin plugin = of(creation);
            plugin.validateNew(creation.namespace(), object);
            plugin.validate(object);
        } catch (Refused e) {
            throw refusal(creation, e);
        }
    }

    /** Refuses a changed one. */
    public void validate(AdmissionAttributes update, ObjectNode before, ObjectNode object) {
        try {
            Plugin plugin = of(update);
            plugin.validateChange(before, object);
            plugin.validate(object);
        } catch (Refused e) {
            throw refusal(update, e);
        }
    }

    /** Counts a new or changed object in the quotas of its namespace, as the last of all plugins; may refuse it. */
    public void charge(AdmissionAttributes operation, @Nullable ObjectNode before, ObjectNode object, boolean dryRun) {
        try {
            if (operation.subresource().isEmpty()) {
                quotas.charge(operation.resource(), operation.namespace(), before, object, dryRun);
            }
        } catch (Refused e) {
            throw refusal(operation, e);
        }
    }

    private Plugin of(AdmissionAttributes operation) {
        return operation.subresource().isEmpty()
                ? byBucket.getOrDefault(operation.resource().bucket(), NONE)
                : NONE;
    }

    private static ApiException refusal(AdmissionAttributes operation, Refused e) {
        return ApiException.forbidden(
                operation.resource().subject(operation.name()), String.valueOf(e.getMessage()), List.of(), "");
    }
}
