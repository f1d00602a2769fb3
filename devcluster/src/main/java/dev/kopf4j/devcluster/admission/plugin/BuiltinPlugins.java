package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.admission.AdmissionAttributes;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectStore;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs the built-in admission plugins LimitRanger, Priority and RuntimeClass ({@code plugin/pkg/admission}, v1.33) for
 * new objects. Thread-safe.
 */
public final class BuiltinPlugins {
    private final LimitRanger limitRanger;
    private final PodPriority podPriority;
    private final PodRuntimeClass podRuntimeClass;

    /** Finds what they look at in a store. */
    public BuiltinPlugins(ObjectStore objectStore) {
        this.limitRanger = new LimitRanger(objectStore);
        this.podPriority = new PodPriority(objectStore);
        this.podRuntimeClass = new PodRuntimeClass(objectStore);
    }

    /** A plugin refuses an operation; the message is that for the client. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }

    /** Sets what follows from other objects; once more makes no difference. */
    public void mutate(AdmissionAttributes creation, ObjectNode object) {
        if (!isOf(creation, "pods")) {
            return;
        }
        try {
            limitRanger.setDefaults(creation.namespace(), object);
            podPriority.set(object);
            podRuntimeClass.set(object);
        } catch (Refused e) {
            throw refusal(creation, e);
        }
    }

    /** Refuses an object that other objects do not allow. */
    public void validate(AdmissionAttributes creation, ObjectNode object) {
        try {
            if (isOf(creation, "pods")) {
                podRuntimeClass.validate(object);
                limitRanger.validatePod(creation.namespace(), object);
            } else if (isOf(creation, "persistentvolumeclaims")) {
                limitRanger.validateClaim(creation.namespace(), object);
            }
        } catch (Refused e) {
            throw refusal(creation, e);
        }
    }

    /** Refuses a second class of priority that is the default. */
    public void validateDefault(AdmissionAttributes operation, ObjectNode object) {
        if (operation.resource().qualified().equals("priorityclasses.scheduling.k8s.io")) {
            try {
                podPriority.validateDefault(object);
            } catch (Refused e) {
                throw refusal(operation, e);
            }
        }
    }

    private static boolean isOf(AdmissionAttributes creation, String plural) {
        return creation.resource().group().isEmpty()
                && creation.resource().plural().equals(plural)
                && creation.subresource().isEmpty();
    }

    private static ApiException refusal(AdmissionAttributes operation, Refused e) {
        return ApiException.forbidden(
                operation.resource().subject(operation.name()), String.valueOf(e.getMessage()), List.of(), "");
    }
}
