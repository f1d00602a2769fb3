package dev.kopf4j.types;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kopf4j.crd.Condition;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.crd.ListType;
import dev.kopf4j.crd.MapType;
import dev.kopf4j.crd.PrinterColumn;
import dev.kopf4j.crd.Rule;
import dev.kopf4j.crd.Scale;
import dev.kopf4j.crd.Schema;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A custom resource with all that types and annotations can say. Its definition is {@code everything.yaml}. */
@SuppressWarnings("ArrayRecordComponent") // bytes are arrays
final class Everything {
    private Everything() {}

    @CustomResource(
            group = "example.com",
            version = "v1",
            kind = "Policy",
            shortNames = {"pol", "on"},
            categories = "all",
            annotations = "example.com/team=web",
            scale = @Scale(spec = ".spec.numbers.int", selector = ".status.selector"),
            selectableFields = ".spec.texts.plain",
            columns = @PrinterColumn(name = "Age", path = ".metadata.creationTimestamp", type = "date"))
    @Schema(
            description = "Says what is allowed.",
            rules = @Rule(value = "self.metadata.name.size() < 64", message = "the name is too long"))
    record Policy(
            PolicySpec spec, PolicyStatus status, @Nullable Map<String, String> data) {}

    record PolicySpec(
            Numbers numbers, Texts texts, Times times, Containers containers, Open open, Models models, Bean bean) {}

    record Numbers(
            byte small,
            short less,

            @JsonProperty("int") @PrinterColumn(name = "Number", description = "How many.", priority = 1)
            int number,

            @Nullable Long more,
            BigInteger whole,

            @Schema(minimum = 0.5, maximum = 1, exclusiveMaximum = true, multipleOf = 0.25)
            double ratio,

            float part,
            BigDecimal exact,
            OptionalInt maybe,

            @Schema(defaultValue = "3", minimum = -1) int withDefault,

            @Schema(defaultValue = "3", required = true) int both,

            @Schema(
                    enumValues = {"1", "2"},
                    format = Schema.NONE)
            int choice) {}

    record Texts(
            String plain,

            @Schema(
                    description = "A name:\n  as in DNS",
                    pattern = "^[a-z]+$",
                    minLength = 1,
                    maxLength = 63,
                    format = "hostname",
                    selectable = true)
            String name,

            char letter,
            Color color,

            @Schema(defaultValue = "no") String answer,

            @Schema(defaultValue = "blue") Color colorByDefault,
            @Nullable UUID id,
            URI address,
            byte[] bytes,
            byte @Nullable [] noBytes,
            @JsonIgnore String hidden) {}

    enum Color {
        @JsonProperty("dark-red")
        DARK_RED,
        blue,
        yes
    }

    record Times(
            Instant at,
            LocalDate on,
            @Schema(defaultValue = "PT1M") Duration pause) {}

    record Containers(
            List<String> names,

            @Schema(minItems = 1, maxItems = 5, listType = ListType.ATOMIC)
            List<@Nullable @Schema(maxLength = 63) String> limited,

            Set<Integer> numbers,
            Color[] colors,

            @Schema(listMapKeys = {"name", "port"}) List<Port> ports,

            @Schema(minProperties = 1, maxProperties = 9, mapType = MapType.ATOMIC)
            Map<String, Integer> counts,

            Map<Color, List<List<Port>>> deep,
            Optional<Port> one,

            @Nullable @Schema(
                    nullable = true,
                    rules = {
                        @Rule(
                                value = "self.port == oldSelf.orValue(self).port",
                                messageExpression = "'not that of ' + self.name",
                                reason = "FieldValueForbidden",
                                fieldPath = ".port",
                                optionalOldSelf = true)
                    })
            Port fixed) {}

    @Schema(description = "Where it listens.", json = "{\"externalDocs\": {\"url\": \"http://example.com\"}}")
    record Port(
            String name,
            @Schema(minimum = 1, maximum = 65_535) int port,
            @Schema(defaultValue = "TCP") String protocol) {}

    record Open(
            @Schema(preserveUnknownFields = true) Object anything,
            @Schema(preserveUnknownFields = true) Map<String, Object> object,
            @Schema(preserveUnknownFields = true) LocalObjectReference known,
            Tree tree,

            @Schema(embeddedResource = true, preserveUnknownFields = true)
            Map<String, Object> resource,

            @Schema(intOrString = true, defaultValue = "25%")
            Object share,

            Map<String, @Schema(preserveUnknownFields = true) Object> values) {}

    record Tree(List<@Schema(preserveUnknownFields = true) Tree> children) {}

    record Models(
            Quantity size,
            IntOrString port,
            ObjectMeta metadata,
            EnvVar variable,
            @Nullable LocalObjectReference secret) {}

    static class Base {
        public @Nullable String inherited;
    }

    static class Bean extends Base {
        static final String CONSTANT = "";

        transient int passing;

        @JsonProperty(required = true)
        @Nullable String needed;

        public int optional;
    }

    record PolicyStatus(
            String selector,
            int replicas,
            Port port,

            @Schema(listMapKeys = "type")
            @PrinterColumn(name = "Ready", path = ".status.conditions[?(@.type==\"Ready\")].status")
            List<Condition> conditions) {}
}
