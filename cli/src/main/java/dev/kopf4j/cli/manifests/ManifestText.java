package dev.kopf4j.cli.manifests;

import dev.kopf4j.types.CustomResourceDefinitions;
import java.util.List;
import java.util.stream.Collectors;

/** Manifests as YAML. Pure. */
public final class ManifestText {
    private ManifestText() {}

    /** All of them, one after the other; the same ones give the same text. */
    public static String of(List<Manifest> manifests) {
        return manifests.stream().map(ManifestText::of).collect(Collectors.joining("---\n"));
    }

    private static String of(Manifest manifest) {
        String comments =
                manifest.comments().stream().map(line -> "# " + line + "\n").collect(Collectors.joining());
        return comments + CustomResourceDefinitions.yaml(List.of(manifest.object()));
    }
}
