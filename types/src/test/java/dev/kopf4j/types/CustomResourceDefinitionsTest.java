package dev.kopf4j.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonKey;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.kopf4j.BindingException;
import dev.kopf4j.TypeRef;
import dev.kopf4j.View;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.crd.PrinterColumn;
import dev.kopf4j.crd.Schema;
import dev.kopf4j.crd.Scope;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.printing.JsonPath;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.std.ToStringSerializer;

@SuppressWarnings({"unused", "ArrayRecordComponent"}) // components are read by reflection
class CustomResourceDefinitionsTest {
    @Test
    @Tag("M01")
    @Tag("M02")
    @Tag("M03")
    @Tag("M04")
    @Tag("M05")
    @Tag("M06")
    void saysAllThatTypesAndAnnotationsSay() throws IOException {
        assertThat(yaml(Everything.Policy.class)).isEqualTo(resource("everything.yaml"));
    }

    @Test
    void theSameTypesGiveTheSameText() {
        assertThat(yaml(Everything.Policy.class)).isEqualTo(yaml(Everything.Policy.class));
    }

    @CustomResource(group = "example.com", version = "v1", scope = Scope.CLUSTER, status = PairStatus.class)
    record PairSpec(String html, @Nullable Integer replicas) {}

    record PairStatus(String url) {}

    enum Plan {
        ON_DEMAND,
        @JsonProperty("at-night")
        NIGHTLY;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    record PlannedSpec(Plan plan) {}

    @CustomResource(group = "example.com", version = "v1")
    record Planned(PlannedSpec spec) {}

    /** Of a constant, neither side knows its text for people. */
    @Test
    @Tag("M02")
    void handlersReadAndWriteEnumsAsTheDefinitionHasThem() {
        List<String> values = version(Planned.class)
                .get("schema.openAPIV3Schema.properties.spec.properties.plan.enum", new TypeRef<List<String>>() {})
                .orElseThrow();
        assertThat(values).containsExactly("ON_DEMAND", "at-night");
        assertThat(values)
                .map(value ->
                        View.of(Map.of("plan", value)).get("plan", Plan.class).orElseThrow())
                .containsExactly(Plan.values());
        assertThat(List.of(Plan.values()))
                .map(plan -> View.of(Map.of("spec", new PlannedSpec(plan))).requireString("spec.plan"))
                .containsExactlyElementsOf(values);
    }

    @Test
    @Tag("M01")
    void aPairOfRecordsIsAResourceToo() throws IOException {
        assertThat(yaml(PairSpec.class)).isEqualTo(resource("pair.yaml"));
    }

    @CustomResource(group = "example.com", version = "v1", kind = "Site", storage = true)
    record SiteV1(PairSpec spec, PairStatus status) {}

    @CustomResource(
            group = "example.com",
            version = "v1beta1",
            kind = "Site",
            deprecated = true,
            deprecationWarning = "use v1",
            statusSubresource = false)
    record SiteV1beta1(PairStatus spec, PairStatus status) {}

    @CustomResource(group = "example.com", version = "v1alpha1", kind = "Site", served = false)
    record SiteV1alpha1(PairStatus spec) {}

    @CustomResource(group = "example.com", version = "v1alpha1", kind = "Site")
    record SiteAgain(PairStatus spec) {}

    @CustomResource(group = "example.com", version = "v3", kind = "Site", storage = true)
    record SiteV3(PairStatus spec) {}

    @CustomResource(group = "example.com", version = "v2", kind = "Site", plural = "sitez")
    record SiteOfOtherName(PairStatus spec) {}

    @CustomResource(group = "example.com", version = "v2", kind = "Site", scope = Scope.CLUSTER)
    record SiteOfOtherScope(PairStatus spec) {}

    @CustomResource(group = "example.org", version = "v2", kind = "Site")
    record SiteOfOtherGroup(PairStatus spec) {}

    @CustomResource(group = "example.com", version = "v1", columns = @PrinterColumn(name = "Age"))
    record Aged(PairStatus spec) {}

    @CustomResource(group = "example.com", version = "v1", kind = "Plain")
    record Plain(PairStatus spec) {}

    @CustomResource(group = "example.com", version = "v1", kind = "Plain", statusSubresource = true)
    record PlainInWords(PairStatus spec) {}

    /** The server would drop results and conditions. */
    @Test
    @Tag("M02")
    void theDefaultOfTheStatusMeansTheSameWhenItIsWritten() throws IOException {
        assertThat(yaml(PlainInWords.class))
                .isEqualTo(yaml(Plain.class))
                .containsPattern("status:\\s+type: object\\s+x-kubernetes-preserve-unknown-fields: true");
    }

    @Test
    @Tag("M02")
    void severalTypesAreVersionsOfOneResource() throws IOException {
        assertThat(yaml(SiteV1.class, SiteV1beta1.class, SiteV1alpha1.class)).isEqualTo(resource("versions.yaml"));
    }

    @Test
    @Tag("M02")
    void versionsThatContradictEachOtherAreRefused() {
        assertThatThrownBy(() -> CustomResourceDefinitions.of(SiteV1beta1.class, SiteV1alpha1.class))
                .hasMessage(
                        "Site has the versions v1beta1, v1alpha1, of which 0 are to be stored; exactly one must have"
                                + " storage = true");
        assertThatThrownBy(() -> CustomResourceDefinitions.of(SiteV1.class, SiteV3.class))
                .hasMessage("Site has the versions v1, v3, of which 2 are to be stored; exactly one must have storage ="
                        + " true");
        assertThatThrownBy(() -> CustomResourceDefinitions.of(SiteV1.class, SiteV1alpha1.class, SiteAgain.class))
                .hasMessageContaining("another type is the version v1alpha1 of Site");
        assertThatThrownBy(() -> CustomResourceDefinitions.of(SiteV1.class, SiteOfOtherName.class))
                .hasMessageContaining(
                        "SiteOfOtherName and SiteV1 are versions of one resource, but differ in its names")
                .hasMessageContaining("sitez");
        assertThatThrownBy(() -> CustomResourceDefinitions.of(SiteV1.class, SiteOfOtherScope.class))
                .hasMessageContaining("SiteOfOtherScope and SiteV1 are versions of one resource, but differ in its")
                .hasMessageContaining("Cluster and ");
        assertThatThrownBy(() -> CustomResourceDefinitions.of(PairStatus.class))
                .hasMessageContaining("PairStatus does not say which resource it is; annotate it with @CustomResource");
    }

    @Test
    @Tag("M02")
    void kindsOfTwoGroupsAreTwoResources() {
        assertThat(CustomResourceDefinitions.of(SiteV1.class, SiteOfOtherGroup.class))
                .hasSize(2);
    }

    @Test
    @Tag("M02")
    void aColumnOfTheWholeTypeNeedsAPath() {
        assertThatThrownBy(() -> CustomResourceDefinitions.of(Aged.class))
                .hasMessageContaining("a printer column of the whole type needs a name and a path");
    }

    @Test
    @Tag("M14")
    void theDevClusterAcceptsThem() {
        try (DevCluster cluster = DevCluster.start()) {
            String made = CustomResourceDefinitions.yaml(CustomResourceDefinitions.of(
                    Everything.Policy.class, PairSpec.class, SiteV1.class, SiteV1beta1.class, SiteV1alpha1.class));
            cluster.apply(made);
            cluster.apply(made);
            cluster.apply("""
                    apiVersion: example.com/v1
                    kind: Pair
                    metadata: {name: one}
                    spec: {html: text}
                    """);
            assertThatThrownBy(() -> cluster.apply("""
                    apiVersion: example.com/v1
                    kind: Pair
                    metadata: {name: two}
                    spec: {replicas: 3}
                    """)).hasMessageContaining("spec.html");
        }
    }

    record LabelledSpec(
            @JsonProperty("app.name") @PrinterColumn String name, List<@Nullable Port> ports) {}

    record Port(@JsonProperty("$ref") @PrinterColumn String ref) {}

    record MappedPort(
            @PrinterColumn(name = "Http", path = ".spec.http.port")
            int port) {}

    @CustomResource(group = "example.com", version = "v1")
    record Labelled(LabelledSpec spec) {}

    @CustomResource(group = "example.com", version = "v1")
    record Mapped(Map<String, MappedPort> spec) {}

    @Test
    @Tag("M02")
    void columnsFindFieldsOfAnyName() {
        assertThat(columns(Labelled.class))
                .containsExactly(
                        Map.of("name", "App.name", "type", "string", "jsonPath", ".spec.app\\.name"),
                        Map.of("name", "$ref", "type", "string", "jsonPath", ".spec.ports[*].\\$ref"));
        assertThat(columns(Mapped.class))
                .containsExactly(Map.of("name", "Http", "type", "integer", "jsonPath", ".spec.http.port"));
        JsonNode object =
                JsonMapper.shared().readTree("{\"spec\": {\"app.name\": \"shop\", \"ports\": [{\"$ref\": \"web\"}]}}");
        assertThat(columns(Labelled.class))
                .extracting(column -> JsonPath.parse(String.valueOf(column.get("jsonPath")))
                        .find(object)
                        .toString())
                .containsExactly("[\"shop\"]", "[\"web\"]");
    }

    private static List<Map<String, Object>> columns(Class<?> type) {
        return version(type)
                .get("additionalPrinterColumns", new TypeRef<List<Map<String, Object>>>() {})
                .orElseThrow();
    }

    /** As development environments and Lombok write it. */
    static class Switches {
        private boolean isActive;
        private @Nullable String renamed;
        private @Nullable String aName;
        private @Nullable String hidden;
        private @Nullable String secret;

        public boolean isActive() {
            return isActive;
        }

        public void setActive(boolean active) {
            isActive = active;
        }

        @JsonProperty("other-name")
        public @Nullable String getRenamed() {
            return renamed;
        }

        public void setRenamed(String renamed) {
            this.renamed = renamed;
        }

        public @Nullable String getAName() {
            return aName;
        }

        @JsonProperty(required = true)
        public void setAName(String aName) {
            this.aName = aName;
        }

        @JsonIgnore
        public @Nullable String getHidden() {
            return hidden;
        }

        public void setHidden(String hidden) {
            this.hidden = hidden;
        }

        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        public @Nullable String getSecret() {
            return secret;
        }

        public void setSecret(String secret) {
            this.secret = secret;
        }
    }

    @CustomResource(group = "example.com", version = "v1")
    record Switched(Switches spec) {}

    @Test
    @Tag("M04")
    void fieldsOfClassesHaveTheNamesThatHandlersReadAndWrite() {
        View spec = version(Switched.class).at("schema.openAPIV3Schema.properties.spec");
        assertThat(spec.at("properties").toMap()).containsOnlyKeys("active", "other-name", "aName", "secret");
        assertThat(spec.getList("required")).containsExactly("aName");
        Switches read =
                View.of(Map.of("active", true, "other-name", "b", "aName", "c")).as(Switches.class);
        assertThat(View.of(Map.of("spec", read)).at("spec").toMap())
                .containsExactlyInAnyOrderEntriesOf(Map.of("active", true, "other-name", "b", "aName", "c"));
    }

    @Retention(RetentionPolicy.RUNTIME)
    @JacksonAnnotationsInside
    @JsonProperty("renamed")
    @interface Renamed {}

    /** Annotations of parameters alone reach the constructor of a record, and nothing else. */
    @Target(ElementType.PARAMETER)
    @Retention(RetentionPolicy.RUNTIME)
    @JacksonAnnotationsInside
    @JsonProperty("of-parameter")
    @interface RenamedParameter {}

    @Retention(RetentionPolicy.RUNTIME)
    @JacksonAnnotationsInside
    @JsonFormat(pattern = "dd.MM.yyyy")
    @Schema(format = Schema.NONE)
    @interface German {}

    static class FromText {
        private final int port;

        FromText() {
            this("1");
        }

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        FromText(String port) {
            this.port = Integer.parseInt(port);
        }

        @JsonCreator
        FromText(@JsonProperty("port") int port) {
            this.port = port;
        }

        public int getPort() {
            return port;
        }
    }

    record CreatedSpec(
            @Renamed int original,
            @RenamedParameter int parameter,
            @German LocalDate day,
            @JsonIgnore @Nullable String ignored,
            FromText port) {
        @JsonCreator
        CreatedSpec {}
    }

    @CustomResource(group = "example.com", version = "v1")
    record Created(CreatedSpec spec) {}

    @Test
    @Tag("M04")
    void creatorsAndAnnotationsThatStandForOthersGiveTheNamesThatHandlersRead() {
        View spec = version(Created.class).at("schema.openAPIV3Schema.properties.spec");
        Map<String, Object> written =
                Map.of("renamed", 1, "of-parameter", 2, "day", "30.12.2001", "port", Map.of("port", 3));
        assertThat(spec.at("properties").toMap()).containsOnlyKeys(written.keySet());
        assertThat(spec.at("properties.day").toMap()).containsExactly(Map.entry("type", "string"));
        CreatedSpec read = View.of(written).as(CreatedSpec.class);
        assertThat(View.of(Map.of("spec", read)).at("spec").toMap()).isEqualTo(written);
    }

    static class Hosts {
        private List<String> hosts = List.of();

        public List<String> getHosts() {
            return hosts;
        }

        public void setHosts(List<String> hosts) {
            this.hosts = hosts;
        }

        public void setHosts(String... hosts) {
            this.hosts = List.of(hosts);
        }
    }

    @CustomResource(group = "example.com", version = "v1")
    record Hosted(PausedSpec spec, Hosts status) {}

    @Test
    @Tag("M04")
    void whatIsOnlyWrittenMayHaveSettersForSeveralTypes() {
        assertThat(version(Hosted.class)
                        .at("schema.openAPIV3Schema.properties.status.properties")
                        .toMap())
                .isEqualTo(Map.of("hosts", Map.of("type", "array", "items", Map.of("type", "string"))));
    }

    enum Size {
        SMALL("s"),
        LARGE("l");

        @JsonValue
        final String letter;

        Size(String letter) {
            this.letter = letter;
        }
    }

    record Word(String text) {
        @JsonValue
        @Override
        public String text() {
            return text;
        }
    }

    record FormsSpec(
            Size size,
            char[] letters,
            @Schema(preserveUnknownFields = true) Word word,

            @JsonFormat(shape = JsonFormat.Shape.STRING, pattern = "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX")
            ZonedDateTime at,

            @JsonFormat(pattern = "dd.MM.yyyy") @Schema(format = Schema.NONE)
            LocalDate on) {
        public boolean isLarge() {
            return size == Size.LARGE;
        }
    }

    record TimesSpec(
            @JsonFormat(pattern = "yyyy-MM-dd") Optional<LocalDate> perhaps,

            @JsonFormat(pattern = "dd.MM.yyyy") @Schema(format = Schema.NONE)
            Optional<LocalDate> said,

            @JsonFormat(shape = JsonFormat.Shape.STRING, pattern = "yyyy-MM-dd")
            List<LocalDate> list,

            @JsonFormat(pattern = "dd.MM.yyyy") List<@Schema(format = Schema.NONE) LocalDate> inner,
            @JsonFormat(pattern = "yyyy-MM-dd") Map<String, LocalDate> mapping,
            @JsonFormat(pattern = "yyyy-MM-dd") LocalDate[] array,
            @JsonFormat(pattern = "SECONDS") Duration duration,
            @JsonFormat(pattern = "dd.MM.yyyy") String text) {}

    @CustomResource(group = "example.com", version = "v1")
    record Times(TimesSpec spec) {}

    @Test
    @Tag("M03")
    void patternsOfTimesAreKeptAlsoInWhatHoldsThem() {
        Map<String, Object> date = Map.of("type", "string", "format", "date");
        Map<String, Object> text = Map.of("type", "string");
        Map<String, Object> fields = new LinkedHashMap<>(version(Times.class)
                .at("schema.openAPIV3Schema.properties.spec.properties")
                .toMap());
        assertThat(fields.remove("duration")).isNotNull();
        assertThat(fields)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "perhaps", date,
                        "said", text,
                        "list", Map.of("type", "array", "items", date),
                        "inner", Map.of("type", "array", "items", text),
                        "mapping", Map.of("type", "object", "additionalProperties", date),
                        "array", Map.of("type", "array", "items", date),
                        "text", text));
        Map<String, Object> written = Map.of(
                "perhaps",
                "2001-02-03",
                "said",
                "03.02.2001",
                "list",
                List.of("2001-02-03"),
                "inner",
                List.of("03.02.2001"),
                "mapping",
                Map.of("a", "2001-02-03"),
                "array",
                List.of("2001-02-03"),
                "duration",
                "PT1M",
                "text",
                "any");
        TimesSpec read = View.of(written).as(TimesSpec.class);
        assertThat(View.of(Map.of("spec", read)).at("spec").toMap()).isEqualTo(written);
    }

    record FormsStatus(int ready) {
        @JsonIgnore
        public boolean isComplete() {
            return ready > 0;
        }
    }

    @CustomResource(group = "example.com", version = "v1")
    record Forms(FormsSpec spec, FormsStatus status) {}

    @Test
    @Tag("M03")
    void schemasSayWhatHandlersReadAndWrite() {
        View fields = version(Forms.class).at("schema.openAPIV3Schema.properties.spec.properties");
        String pattern = fields.requireString("at.pattern");
        assertThat(fields.toMap())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "size", Map.of("type", "string", "enum", List.of("s", "l")),
                        "letters", Map.of("type", "string"),
                        "word", Map.of("x-kubernetes-preserve-unknown-fields", true),
                        "at", Map.of("type", "string", "format", "date-time", "pattern", pattern),
                        "on", Map.of("type", "string")));
        Map<String, Object> written = Map.of(
                "size", "l", "letters", "ab", "word", "hello", "at", "2001-02-03T04:05:06.000000Z", "on", "03.02.2001");
        FormsSpec read = View.of(written).as(FormsSpec.class);
        assertThat(View.of(Map.of("spec", read)).at("spec").toMap()).containsAllEntriesOf(written);
    }

    /** As from a library: nobody can annotate it. */
    static class Hashed {
        public String name = "";
        private int hash;
    }

    record Progress(int ready) {
        public boolean isComplete() {
            return ready > 0;
        }
    }

    @Schema(preserveUnknownFields = true)
    record OpenProgress(int ready) {
        public boolean isComplete() {
            return ready > 0;
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    interface Shape {}

    @Schema(preserveUnknownFields = true)
    record Circle(int radius) implements Shape {}

    static class Extended {
        public String name = "";

        @JsonAnySetter
        @JsonAnyGetter
        public Map<String, String> others = Map.of();
    }

    record Factored(@Nullable String name, int unread) {
        @JsonCreator
        static Factored of(@JsonProperty("name") String name, @JsonProperty("other") String other) {
            return new Factored(name + other, 1);
        }
    }

    record Delegated(String text) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Delegated {}
    }

    record OpenSpec(
            @Schema(preserveUnknownFields = true) Hashed hashed,
            @Schema(preserveUnknownFields = true) Factored factored,
            @Schema(preserveUnknownFields = true) Delegated delegated,
            @Schema(preserveUnknownFields = true) Optional<Hashed> perhaps,
            @Schema(description = "round") Circle circle,
            @Schema(preserveUnknownFields = true) Extended extended,

            @JsonSerialize(using = ToStringSerializer.class) @Schema(preserveUnknownFields = true)
            Hashed text,

            @JsonSerialize(using = ToStringSerializer.class) @Schema(intOrString = true)
            int port) {}

    record OpenStatus(
            @Schema(preserveUnknownFields = true) Progress here,

            @Schema(json = "{\"x-kubernetes-preserve-unknown-fields\": true}")
            Progress json,

            @Schema(description = "by its type") OpenProgress type) {}

    @CustomResource(group = "example.com", version = "v1")
    record Opened(OpenSpec spec, OpenStatus status) {}

    @CustomResource(group = "example.com", version = "v1", status = OpenProgress.class)
    record OpenedPair(String name) {}

    @Test
    @Tag("M03")
    void whatServersKeepAnywayMayBeMoreThanTheSchemaSays() {
        View schema = version(Opened.class).at("schema.openAPIV3Schema.properties");
        Map<String, Object> named = open(Map.of("name", Map.of("type", "string")));
        assertThat(schema.at("spec.properties").toMap())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "hashed",
                        named,
                        "factored",
                        named,
                        "delegated",
                        Map.of("x-kubernetes-preserve-unknown-fields", true),
                        "perhaps",
                        named,
                        "circle",
                        Map.of("description", "round", "x-kubernetes-preserve-unknown-fields", true),
                        "extended",
                        named,
                        "text",
                        Map.of("x-kubernetes-preserve-unknown-fields", true),
                        "port",
                        Map.of(
                                "anyOf",
                                List.of(Map.of("type", "integer"), Map.of("type", "string")),
                                "x-kubernetes-int-or-string",
                                true)));
        Map<String, Object> number = Map.of(
                "type", "integer", "format", "int32", "minimum", Integer.MIN_VALUE, "maximum", Integer.MAX_VALUE);
        Map<String, Object> progress = new LinkedHashMap<>(open(Map.of("ready", number)));
        progress.put("required", List.of("ready"));
        Map<String, Object> described = new LinkedHashMap<>(progress);
        described.put("description", "by its type");
        assertThat(schema.at("status.properties").toMap())
                .containsExactlyInAnyOrderEntriesOf(Map.of("here", progress, "json", progress, "type", described));
        assertThat(version(OpenedPair.class)
                        .at("schema.openAPIV3Schema.properties.status")
                        .toMap())
                .isEqualTo(open(Map.of("ready", number)));
    }

    private static Map<String, Object> open(Map<String, Object> properties) {
        return Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true, "properties", properties);
    }

    @JsonIgnoreProperties("ready")
    static class Base {
        public boolean isReady() {
            return true;
        }
    }

    static class Derived extends Base {
        public String name = "";
    }

    static class Counting {
        public String name = "";

        public boolean isComplete() {
            return true;
        }
    }

    record IgnoringStatus(
            Derived derived,
            @JsonIgnoreProperties("complete") Map<String, List<Counting>> counting) {}

    @CustomResource(group = "example.com", version = "v1")
    record Ignoring(PausedSpec spec, IgnoringStatus status) {}

    @Test
    @Tag("M03")
    void whatJacksonIsToldNotToWriteIsNotMissedInTheSchema() {
        View status = version(Ignoring.class).at("schema.openAPIV3Schema.properties.status.properties");
        Map<String, Object> named = Map.of("name", Map.of("type", "string"));
        assertThat(status.at("derived.properties").toMap()).isEqualTo(named);
        assertThat(status.at("counting.additionalProperties.items.properties").toMap())
                .isEqualTo(named);
        IgnoringStatus written = new IgnoringStatus(new Derived(), Map.of("a", List.of(new Counting())));
        assertThat(View.of(Map.of("status", written)).at("status").toMap())
                .isEqualTo(Map.of("derived", Map.of("name", ""), "counting", Map.of("a", List.of(Map.of("name", "")))));
    }

    record PausedSpec(Duration pause) {}

    @CustomResource(group = "example.com", version = "v1")
    record Paused(PausedSpec spec) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "P1D",
                "PT1H",
                "PT1M",
                "PT1S",
                "P1DT1H",
                "P1DT1S",
                "PT1H1M",
                "PT1H1S",
                "PT1M1S",
                "P2DT3H4M5.5S",
                "-PT1M",
                "PT-1M",
                "PT1.S",
                "PT1,5S",
                "P",
                "PT",
                "P1DT",
                "-P",
                "1h30m",
                "PT1M1H",
                "PT1S1M",
                "P1H",
                "PT1D",
                "PT1",
                "P1W"
            })
    @Tag("M03")
    void durationsAreWhatHandlersRead(String text) {
        String pattern =
                version(Paused.class).requireString("schema.openAPIV3Schema.properties.spec.properties.pause.pattern");
        boolean read;
        try {
            View.of(Map.of("pause", text)).as(PausedSpec.class);
            read = true;
        } catch (BindingException e) {
            read = false;
        }
        assertThat(Pattern.compile(pattern).matcher(text).find()).isEqualTo(read);
    }

    record ReadableSpec(
            @Nullable Integer number,
            @Nullable Short less,
            OptionalInt maybe,
            @Nullable Character letter,
            @Nullable UUID id,
            @Nullable Instant at,
            @Nullable ZonedDateTime zoned,
            @Nullable Duration pause,
            @Nullable URI address,
            @Nullable Quantity size,
            @Nullable IntOrString port,
            io.fabric8.kubernetes.api.model.@Nullable Duration worded,
            @Nullable Map<Plan, Integer> copies) {}

    @CustomResource(group = "example.com", version = "v1")
    record Device(ReadableSpec spec) {}

    /** Otherwise handlers would fail for good, and deletions go on without them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            number  | 2147483647                                | true
            number  | 2147483648                                | false
            number  | -2147483649                               | false
            less    | 32768                                     | false
            maybe   | 3000000000                                | false
            letter  | "ä"                                       | true
            letter  | "\uD83D\uDE00"                            | false
            id      | "123e4567-e89b-12d3-A456-426614174000"    | true
            id      | "123e4567e89b12d3a456426614174000"        | false
            at      | "2001-02-03T04:05:06Z"                    | true
            at      | "2001-02-03t04:05:06.123456789+18:00"     | true
            at      | "2001-02-03T04:05:06.1234567890Z"         | false
            at      | "2001-02-03T04:05:06+18:01"               | false
            at      | "2001-02-03T04:05:06-23:59"               | false
            zoned   | "2001-02-03T04:05:06-17:59"               | true
            zoned   | "2001-02-03T04:05:06+17:60"               | false
            at      | "2001-02-03T04:05:06,123Z"                | false
            at      | "2001-02-03T04:05:06x123Z"                | false
            at      | "2001-02-03T04:05:06ZtZ"                  | false
            pause   | "P9999999999999DT9999999999999S"          | true
            pause   | "PT99999999999999999999H"                 | false
            address | "http://u:p@[::1]:80/a,b;c=1?d[]=%20#e"   | true
            address | "http:///x"                               | true
            address | "mailto:a@b"                              | true
            address | "/ä"                                      | true
            address | "/"                                       | true
            address | "file:///"                                | true
            address | "http://host?a"                           | true
            address | "//host/path"                             | true
            address | "http://host/a b"                         | false
            address | "http://host/{a}"                         | false
            address | "http://host/%zz"                         | false
            address | "http://host/#a#b"                        | false
            address | "http://[::1%25eth0]/?a[1]#[b]"           | true
            address | "mailto:[a]?b"                            | true
            address | "///x"                                    | true
            address | "/a//b"                                   | true
            address | "http://u@h:80"                           | true
            address | "http://h?/[a]"                           | true
            address | "http://host/a[1]"                        | false
            address | "/["                                      | false
            address | "http://h/]"                              | false
            address | "http://h[1]/"                            | false
            address | "http://[a/"                              | false
            address | "http://[x]/"                             | false
            address | "http://[::1]x/"                          | false
            address | "http://"                                 | false
            address | "//"                                      | false
            address | "http:"                                   | false
            size    | "1.5Gi"                                   | true
            size    | "-1e+3"                                   | true
            size    | 3000000000                                | true
            size    | ""                                        | false
            port    | 2147483647                                | true
            port    | "25%"                                     | true
            port    | 3000000000                                | false
            worded  | "1h30m"                                   | true
            worded  | "5400000000000ns"                         | true
            worded  | "876000h"                                 | true
            worded  | "3153600000000000000ns"                   | true
            worded  | "9999999999999999999ns"                   | false
            worded  | "99999999999999999999s"                   | false
            worded  | "5 parsecs"                               | false
            worded  | ""                                        | false
            copies  | {"ON_DEMAND": 1, "at-night": 2}           | true
            copies  | {"NIGHTLY": 1}                            | false
            """)
    @Tag("M03")
    void serversRefuseWhatHandlersCannotRead(String field, String json, boolean readable) {
        JsonNode value = JsonMapper.shared().readTree(json);
        Object plain = JsonMapper.shared().treeToValue(value, Object.class);
        ThrowingCallable read = () -> View.of(Map.of(field, plain)).as(ReadableSpec.class);
        if (readable) {
            assertThatCode(read).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(read).isInstanceOf(BindingException.class);
        }
        assertThat(fits(version(Device.class).at("schema.openAPIV3Schema.properties.spec.properties." + field), value))
                .isEqualTo(readable);
    }

    /** These are read, but no amounts. */
    @ParameterizedTest
    @ValueSource(strings = {"lots", "10GB", "1 Gi", " 1", "1ki"})
    @Tag("M03")
    void serversRefuseQuantitiesThatAreNoAmounts(String text) {
        View schema = version(Device.class).at("schema.openAPIV3Schema.properties.spec.properties.size");
        assertThat(fits(schema, JsonMapper.shared().valueToTree(text))).isFalse();
    }

    private static boolean fits(View schema, JsonNode value) {
        if (value.isString()) {
            return schema.getString("pattern")
                    .map(pattern -> Pattern.compile(pattern)
                            .matcher(value.stringValue())
                            .find())
                    .orElse(true);
        }
        if (value.isNumber()) {
            return value.doubleValue() >= schema.get("minimum", Double.class).orElse(Double.NEGATIVE_INFINITY)
                    && value.doubleValue()
                            <= schema.get("maximum", Double.class).orElse(Double.POSITIVE_INFINITY);
        }
        return schema.at("properties").toMap().keySet().containsAll(value.propertyNames());
    }

    @Test
    @Tag("M14")
    void theDevClusterRefusesThemToo() {
        try (DevCluster cluster = DevCluster.start()) {
            cluster.apply(CustomResourceDefinitions.yaml(CustomResourceDefinitions.of(Device.class)));
            String good = """
                    apiVersion: example.com/v1
                    kind: Device
                    metadata: {name: one}
                    spec: {number: 1, id: 123e4567-e89b-12d3-a456-426614174000, at: "2001-02-03T04:05:06Z", pause: PT1M,
                      address: "http://host/path", size: 1Gi, port: 80, worded: 5s, letter: a, copies: {at-night: 1}}
                    """;
            cluster.apply(good);
            Map.of(
                            "number: 1,", "number: 3000000000,",
                            "-e89b-12d3", "e89b12d3",
                            "06Z", "06+23:59",
                            "PT1M", "PT99999999999999999999H",
                            "host/path", "",
                            "1Gi", "lots",
                            "port: 80", "port: 3000000000",
                            "5s", "soon",
                            "letter: a", "letter: \uD83D\uDE00")
                    .forEach((from, to) -> assertThatThrownBy(() -> cluster.apply(good.replace(from, to)), to)
                            .hasMessageMatching("(?s).*(should|must).*"));
        }
    }

    @Test
    @Tag("M03")
    void anotherFormatHasNoPatternOfTheOldOne() {
        Map<String, Object> text = Map.of("type", "string");
        Map<String, Object> fields = new LinkedHashMap<>(version(Stamped.class)
                .at("schema.openAPIV3Schema.properties.spec.properties")
                .toMap());
        assertThat(fields.remove("same"))
                .isEqualTo(version(Device.class)
                        .at("schema.openAPIV3Schema.properties.spec.properties.at")
                        .toMap());
        assertThat(fields)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "at",
                        text,
                        "relative",
                        text,
                        "id",
                        text,
                        "own",
                        Map.of("type", "string", "pattern", "^a"),
                        "number",
                        Map.of("type", "integer", "minimum", Integer.MIN_VALUE, "maximum", Integer.MAX_VALUE)));
    }

    record StampedSpec(
            @JsonFormat(pattern = "dd.MM.yyyy HH:mm:ssXXX") @Schema(format = Schema.NONE)
            ZonedDateTime at,

            @Schema(format = Schema.NONE) URI relative,
            @Schema(format = Schema.NONE) UUID id,
            @Schema(format = Schema.NONE, pattern = "^a") URI own,
            @Schema(format = Schema.NONE) int number,
            @Schema(format = "date-time") Instant same) {}

    @CustomResource(group = "example.com", version = "v1")
    record Stamped(StampedSpec spec) {}

    @Schema(defaultValue = "{}")
    record Defaulted(@Schema(defaultValue = "80") int port) {}

    record ZonedSpec(Map<Plan, @Schema(defaultValue = "3") Integer> numbers, Map<Plan, Defaulted> ports) {}

    @CustomResource(group = "example.com", version = "v1")
    record Zoned(ZonedSpec spec) {}

    /** Servers would add all constants to each mapping. */
    @Test
    @Tag("M03")
    void noConstantIsAKeyByDefault() {
        View fields = version(Zoned.class).at("schema.openAPIV3Schema.properties.spec.properties");
        for (String field : List.of("numbers", "ports")) {
            assertThat(fields.at(field + ".properties.ON_DEMAND").toMap())
                    .containsKey("type")
                    .doesNotContainKey("default");
        }
        assertThat(fields.get("ports.properties.at-night.properties.port.default", Integer.class))
                .hasValue(80);
    }

    enum Keyed {
        ONE;

        @JsonKey
        String key() {
            return "1";
        }
    }

    enum Aliased {
        @JsonAlias("uno")
        ONE
    }

    enum Lenient {
        ONE;

        @JsonCreator
        static Lenient of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }
    }

    record KeyedSpec(Map<Keyed, Integer> keyed, Map<Aliased, Integer> aliased, Map<Lenient, Integer> lenient) {}

    @CustomResource(group = "example.com", version = "v1")
    record KeyedResource(KeyedSpec spec) {}

    /** As fields, those that handlers write or read would be dropped. */
    @Test
    @Tag("M03")
    void enumsWhoseKeysAreNotTheirValuesAreKeysOfAnyName() {
        KeyedSpec read = View.of(
                        Map.of("keyed", Map.of("ONE", 1), "aliased", Map.of("uno", 1), "lenient", Map.of("one", 1)))
                .as(KeyedSpec.class);
        assertThat(View.of(Map.of("spec", read)).at("spec.keyed").toMap()).containsOnlyKeys("1");
        View fields = version(KeyedResource.class).at("schema.openAPIV3Schema.properties.spec.properties");
        for (String field : List.of("keyed", "aliased", "lenient")) {
            assertThat(fields.at(field).toMap()).containsOnlyKeys("type", "additionalProperties");
        }
    }

    private static View version(Class<?> type) {
        return View.of(View.of(CustomResourceDefinitions.of(type).getFirst())
                .get("spec.versions", new TypeRef<List<Map<String, ?>>>() {})
                .orElseThrow()
                .getFirst());
    }

    private static String yaml(Class<?>... types) {
        return CustomResourceDefinitions.yaml(CustomResourceDefinitions.of(types));
    }

    private static String resource(String name) throws IOException {
        try (var stream = CustomResourceDefinitionsTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
