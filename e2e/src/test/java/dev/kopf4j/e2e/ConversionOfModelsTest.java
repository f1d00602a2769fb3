package dev.kopf4j.e2e;

import dev.kopf4j.ExplicitRegistration;
import dev.kopf4j.OnConvert;
import dev.kopf4j.testing.ConversionRoundTrips;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Conversions typed by fabric8's models: whole objects with their metadata, bound by fabric8's own serialiser. */
@Tag("J24")
class ConversionOfModelsTest {
    private static final String COLOR = "example.com/color";

    private static final String DEFINITION = """
            kind: CustomResourceDefinition
            spec:
              scope: Namespaced
              group: example.com
              names: {kind: Widget, plural: widgets}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    required: [spec]
                    properties:
                      spec:
                        type: object
                        required: [size]
                        properties:
                          size: {type: integer}
                          color: {type: string}
                          note: {type: string}
                      status: {type: object, x-kubernetes-preserve-unknown-fields: true}
              - name: v2
                served: true
                storage: false
                schema:
                  openAPIV3Schema:
                    type: object
                    required: [spec]
                    properties:
                      spec:
                        type: object
                        required: [length]
                        properties:
                          length: {type: integer}
                          note: {type: string}
                      status: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;

    public static final class V1Spec {
        public int size;
        public String color;
    }

    public static final class V2Spec {
        public int length;
    }

    @Group("example.com")
    @Version("v1")
    public static final class WidgetV1 extends CustomResource<V1Spec, Map<String, Object>> implements Namespaced {
        private static final long serialVersionUID = 1L;

        @Override
        public String getKind() {
            return "Widget";
        }
    }

    @Group("example.com")
    @Version("v2")
    public static final class WidgetV2 extends CustomResource<V2Spec, Map<String, Object>> implements Namespaced {
        private static final long serialVersionUID = 1L;

        @Override
        public String getKind() {
            return "Widget";
        }
    }

    /** What v2 has no field for goes into an annotation, which only functions of the body can do. */
    @ExplicitRegistration
    static class Conversions {
        @OnConvert(value = "widgets.example.com", from = "v1", to = "v2")
        WidgetV2 up(WidgetV1 body) {
            WidgetV2 made = new WidgetV2();
            made.setMetadata(body.getMetadata());
            made.setStatus(body.getStatus());
            V2Spec spec = new V2Spec();
            spec.length = body.getSpec().size;
            made.setSpec(spec);
            if (body.getSpec().color != null) {
                Map<String, String> annotations =
                        new HashMap<>(body.getMetadata().getAnnotations());
                annotations.put(COLOR, body.getSpec().color);
                made.getMetadata().setAnnotations(annotations);
            }
            return made;
        }

        @OnConvert(value = "widgets.example.com", from = "v2", to = "v1")
        WidgetV1 down(WidgetV2 body) {
            WidgetV1 made = new WidgetV1();
            made.setMetadata(body.getMetadata());
            made.setStatus(body.getStatus());
            V1Spec spec = new V1Spec();
            spec.size = body.getSpec().length;
            Map<String, String> annotations =
                    new HashMap<>(Objects.requireNonNull(body.getMetadata().getAnnotations()));
            spec.color = annotations.remove(COLOR);
            made.getMetadata().setAnnotations(annotations);
            made.setSpec(spec);
            return made;
        }
    }

    @Test
    void objectsOfModelsAreTheSameAfterARoundTrip() throws InterruptedException {
        ConversionRoundTrips.of(DEFINITION, operator -> operator.handlers(Conversions.class))
                .check();
    }
}
