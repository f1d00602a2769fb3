package dev.kopf4j.cli.manifests;

import dev.kopf4j.cli.process.OutputFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The objects of an operator as a base of Kustomize.
 *
 * @see <a href="https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/">kustomization.yaml</a>
 */
public record KustomizeBase(OperatorManifests manifests) {
    private static final Set<String> FILES = Set.of(
            "crds.yaml",
            "namespace.yaml",
            "rbac.yaml",
            "service.yaml",
            "disruption.yaml",
            "deployment.yaml",
            "kustomization.yaml");

    /**
     * Writes the base.
     *
     * @throws dev.kopf4j.cli.process.CommandException if that is not possible
     */
    public void write(Path folder) {
        OutputFolder files = manifests.folder(folder, "--kustomize", FILES);
        List<String> resources = new ArrayList<>();
        add(files, resources, "crds.yaml", manifests.convertedCrds());
        add(files, resources, "namespace.yaml", manifests.namespaces());
        add(files, resources, "rbac.yaml", manifests.rbac());
        add(files, resources, "service.yaml", manifests.services());
        add(files, resources, "disruption.yaml", manifests.disruption());
        add(files, resources, "deployment.yaml", List.of(manifests.deployment()));
        files.made(
                "kustomization.yaml",
                ManifestText.of(List.of(Manifest.of(Pieces.map(
                        "apiVersion", "kustomize.config.k8s.io/v1beta1",
                        "kind", "Kustomization",
                        "resources", resources)))));
        files.write();
    }

    private static void add(OutputFolder files, List<String> resources, String name, List<Manifest> objects) {
        if (!objects.isEmpty()) {
            files.made(name, ManifestText.of(objects));
            resources.add(name);
        }
    }
}
