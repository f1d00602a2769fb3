package dev.kopf4j.benchmarks.josdk;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.Map;

/**
 * Writes the result to the status once, by server-side apply of a fresh object, as the SDK's documentation recommends.
 */
@ControllerConfiguration
public final class SampleReconciler implements Reconciler<Sample> {
    private final boolean statusSubresource;

    SampleReconciler(boolean statusSubresource) {
        this.statusSubresource = statusSubresource;
    }

    @Override
    public UpdateControl<Sample> reconcile(Sample resource, Context<Sample> context) {
        if (resource.getStatus() != null && resource.getStatus().containsKey("make1")) {
            return UpdateControl.noUpdate();
        }
        String name = resource.getMetadata().getName();
        Sample desired = new Sample();
        desired.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(resource.getMetadata().getNamespace())
                .build());
        desired.setStatus(Map.of("make1", Map.of("made", name, "size", resource.getSpec().getOrDefault("size", ""))));
        return statusSubresource ? UpdateControl.patchStatus(desired) : UpdateControl.patchResource(desired);
    }
}
