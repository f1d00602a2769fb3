package dev.kopf4j.testing.environment;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The definitions of the custom resources that handlers take as models of fabric8: what fabric8's generator has put on
 * the class path, or a definition without a schema. Pure but for the class path.
 */
public final class ModelDefinitions {
    private ModelDefinitions() {}

    /** The definitions for the handlers of these classes. */
    public static List<String> of(Class<?>... handlers) {
        Map<String, String> definitions = new LinkedHashMap<>();
        Arrays.stream(handlers)
                .flatMap(each -> HandlerTypes.of(each))
                .filter(CustomResource.class::isAssignableFrom)
                .forEach(model -> definitions.computeIfAbsent(
                        HasMetadata.getFullResourceName(HasMetadata.getPlural(model), HasMetadata.getGroup(model)),
                        name -> definition(name, model)));
        return List.copyOf(definitions.values());
    }

    private static String definition(String name, Class<?> model) {
        try (InputStream generated = model.getResourceAsStream("/META-INF/fabric8/" + name + "-v1.yml")) {
            return generated == null
                    ? withoutSchema(model)
                    : new String(generated.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the definition of " + name, e);
        }
    }

    private static String withoutSchema(Class<?> model) {
        String kind = HasMetadata.getKind(model);
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: "%1$s.%2$s"}
                spec:
                  group: "%2$s"
                  scope: %5$s
                  names: {plural: "%1$s", singular: "%6$s", kind: "%4$s"}
                  versions:
                  - name: "%3$s"
                    served: true
                    storage: true
                    subresources: {status: {}}
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """.formatted(
                        HasMetadata.getPlural(model),
                        HasMetadata.getGroup(model),
                        HasMetadata.getVersion(model),
                        kind,
                        Namespaced.class.isAssignableFrom(model) ? "Namespaced" : "Cluster",
                        kind.toLowerCase(Locale.ROOT));
    }
}
