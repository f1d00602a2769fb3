package dev.kopf4j.types;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.crd.PrinterColumn;
import dev.kopf4j.crd.Schema;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.LocalDate;
import java.time.Month;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.ser.std.ToStringSerializer;

/** What has no schema is refused with the class, the field, and the way out. */
@SuppressWarnings({"unused", "rawtypes"}) // that is what is refused
class UnsupportedTypesTest {
    private static final String GROUP = "example.com";

    record Port(String name) {}

    record Node(String name, List<Node> children) {}

    record Box<T>(T content) {}

    enum Nothing {}

    record Values(@Schema(defaultValue = "three") int number) {}

    @CustomResource(group = GROUP, version = "v1")
    record OfObject(Map<String, Object> spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record Recursive(Node spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record RawList(List spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record Generic(Box<String> spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record SetOfRecords(Set<Port> spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record NumberKeys(Map<Integer, String> spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record OfInterface(Callable<String> spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record OfLibrary(StringBuilder spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record EmptyEnum(Nothing spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record WrongDefault(Values spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record KeysOfText(@Schema(listMapKeys = "name") String spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record WrongJson(@Schema(json = "[1]") String spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record Unwrapped(@JsonUnwrapped Port spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record Formatted(
            @JsonFormat(shape = JsonFormat.Shape.STRING) int spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record OwnKind(String kind, Port spec) {}

    record Listener(@PrinterColumn String protocol) {}

    @CustomResource(group = GROUP, version = "v1")
    record ColumnOfMapping(Map<String, Listener> spec) {}

    record Zone(@Schema(selectable = true) String name) {}

    @CustomResource(group = GROUP, version = "v1")
    record SelectableInMapping(Map<String, Zone> spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record SelectableInList(List<Zone> spec) {}

    record Dotted(
            @JsonProperty("app.name") @Schema(selectable = true)
            String name) {}

    @CustomResource(group = GROUP, version = "v1")
    record SelectableWithDot(Dotted spec) {}

    static class Closed {
        public String open = "";
        private int hidden;
    }

    @CustomResource(group = GROUP, version = "v1")
    record OfClosed(Closed spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record OpenAroundClosed(
            @Schema(preserveUnknownFields = true) OfClosed spec) {}

    record OneName(
            @JsonProperty("port") int http,
            @JsonProperty("port") int https) {}

    @CustomResource(group = GROUP, version = "v1")
    record NamesTwice(OneName spec) {}

    static class TwoCreators {
        public int port;

        @JsonCreator
        TwoCreators(@JsonProperty("port") int port) {
            this.port = port;
        }

        @JsonCreator
        TwoCreators(@JsonProperty("port") String port) {
            this.port = Integer.parseInt(port);
        }
    }

    @CustomResource(group = GROUP, version = "v1")
    record CreatedTwice(Port spec, List<TwoCreators> status) {}

    enum TwoValues {
        ONE;

        @JsonValue
        String text() {
            return "1";
        }

        @JsonValue
        int number() {
            return 1;
        }
    }

    @CustomResource(group = GROUP, version = "v1")
    record ValuesTwice(TwoValues spec) {}

    enum Level {
        LOW,
        HIGH;

        @JsonValue
        int number() {
            return this == LOW ? 0 : 9;
        }
    }

    @CustomResource(group = GROUP, version = "v1")
    record NumberedEnum(Level spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record Months(Month spec) {}

    record Version(int number) {
        @JsonValue
        String text() {
            return "v" + number;
        }
    }

    @CustomResource(group = GROUP, version = "v1")
    record OfText(Version spec) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    interface Shape {}

    record Circle(int radius) implements Shape {}

    @CustomResource(group = GROUP, version = "v1")
    record OfShape(Circle spec) {}

    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    record Point(int x, int y) {}

    @CustomResource(group = GROUP, version = "v1")
    record OfArray(Point spec) {}

    record Extensible(
            String name, @JsonAnySetter @JsonAnyGetter Map<String, String> others) {}

    @CustomResource(group = GROUP, version = "v1")
    record OfOthers(Extensible spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record GermanDate(@JsonFormat(pattern = "dd.MM.yyyy") LocalDate spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record GermanDates(
            @JsonFormat(pattern = "dd.MM.yyyy") @Schema(format = Schema.NONE)
            List<LocalDate> spec) {}

    record OwnText(
            @JsonSerialize(using = ToStringSerializer.class) int number) {}

    @CustomResource(group = GROUP, version = "v1")
    record OfSerializer(OwnText spec) {}

    record OfJackson2(
            @com.fasterxml.jackson.databind.annotation.JsonDeserialize(contentAs = String.class)
            List<String> names) {}

    @CustomResource(group = GROUP, version = "v1")
    record WithJackson2(OfJackson2 spec) {}

    record Counted(int ready) {
        public boolean isComplete() {
            return ready > 0;
        }
    }

    @CustomResource(group = GROUP, version = "v1")
    record DerivedStatus(Port spec, List<Counted> status) {}

    record Delegated(String v) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Delegated {}
    }

    @CustomResource(group = GROUP, version = "v1")
    record OfDelegated(Delegated spec) {}

    static class WholeMap {
        public String name = "";

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static WholeMap of(Map<String, Object> all) {
            return new WholeMap();
        }
    }

    @CustomResource(group = GROUP, version = "v1")
    record OfWholeMap(WholeMap spec) {}

    record Factored(String v, int n) {
        @JsonCreator
        static Factored of(@JsonProperty("v") String v) {
            return new Factored(v, 1);
        }
    }

    @CustomResource(group = GROUP, version = "v1")
    record OfFactored(Factored spec) {}

    record Renaming(String v) {
        @JsonCreator
        static Renaming of(@JsonProperty("v") String v, @JsonProperty("other") String other) {
            return new Renaming(v + other);
        }
    }

    @CustomResource(group = GROUP, version = "v1")
    record OfRenaming(Renaming spec) {}

    @Retention(RetentionPolicy.RUNTIME)
    @JacksonAnnotationsInside
    @JsonFormat(shape = JsonFormat.Shape.STRING)
    @interface AsText {}

    @Retention(RetentionPolicy.RUNTIME)
    @JacksonAnnotationsInside
    @JsonUnwrapped
    @interface Flat {}

    record Progress(@AsText int ready) {}

    @CustomResource(group = GROUP, version = "v1")
    record BundledFormat(Port spec, Progress status) {}

    @CustomResource(group = GROUP, version = "v1")
    record BundledUnwrapped(@Flat Port spec) {}

    record Access(
            @JsonProperty(access = JsonProperty.Access.READ_ONLY)
            int r,

            @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
            int w) {}

    @CustomResource(group = GROUP, version = "v1")
    record NeverRead(Access spec) {}

    @CustomResource(group = GROUP, version = "v1")
    record NeverWritten(Port spec, Access status) {}

    static class Final {
        public final String v;

        Final() {
            v = "init";
        }
    }

    @CustomResource(group = GROUP, version = "v1")
    record OfFinal(Final spec) {}

    static class OfOneText {
        public String v;

        public OfOneText(String text) {
            v = text;
        }
    }

    @CustomResource(group = GROUP, version = "v1")
    record OfUnmakeable(List<OfOneText> spec) {}

    @SuppressWarnings("ClassCanBeStatic") // that is what is refused
    class Inner {
        public int a;
    }

    @CustomResource(group = GROUP, version = "v1")
    record OfInner(Inner spec) {}

    static Stream<Arguments> types() {
        return Stream.of(
                Arguments.of(
                        OfDelegated.class,
                        "field spec (component 'spec' of record OfDelegated): @JsonCreator of Delegated",
                        "describe the value by @Schema"),
                Arguments.of(OfWholeMap.class, "@JsonCreator of WholeMap", "describe the value by @Schema"),
                Arguments.of(
                        OfFactored.class,
                        "field spec (component 'spec' of record OfFactored): Jackson never reads component 'n' of record"
                                + " Factored",
                        "give it a setter, or its @JsonCreator a parameter of this name"),
                Arguments.of(
                        OfRenaming.class,
                        "Jackson reads 'other', too, as the creator of Renaming has such a parameter",
                        "make it a field, or leave it out"),
                Arguments.of(BundledFormat.class, "@JsonFormat of component 'ready'", "take a type"),
                Arguments.of(BundledUnwrapped.class, "@JsonUnwrapped of component 'spec'", "name the fields"),
                Arguments.of(
                        NeverRead.class,
                        "Jackson never reads component 'r' of record Access",
                        "leave access = READ_ONLY and final out"),
                Arguments.of(
                        NeverWritten.class,
                        "Jackson never writes component 'w' of record Access",
                        "leave access = WRITE_ONLY out"),
                Arguments.of(
                        OfFinal.class,
                        "Jackson never reads field 'v' of class Final",
                        "leave access = READ_ONLY and final out"),
                Arguments.of(
                        OfUnmakeable.class,
                        "field spec[] (component 'spec' of record OfUnmakeable): Jackson cannot make objects of class"
                                + " OfOneText",
                        "a constructor without arguments"),
                Arguments.of(OfInner.class, "Inner, as it is an inner class", "make it static"),
                Arguments.of(
                        OfObject.class,
                        "OfObject, field spec{} (component 'spec' of record OfObject): java.lang.Object says nothing of its"
                                + " content",
                        "@Schema(preserveUnknownFields = true)"),
                Arguments.of(
                        Recursive.class,
                        "Recursive, field spec.children[] (component 'children' of record Node): Node contains itself",
                        "end it here by @Schema(preserveUnknownFields = true)"),
                Arguments.of(RawList.class, "does not say what it holds", "as in List<String>"),
                Arguments.of(Generic.class, "Box has no schema of its own", "write a record for this use of it"),
                Arguments.of(SetOfRecords.class, "a set holds single values", "@Schema(listMapKeys = \"name\")"),
                Arguments.of(NumberKeys.class, "keys of a mapping are text", "take Map<String, ...>"),
                Arguments.of(OfInterface.class, "Callable", "take a record"),
                Arguments.of(OfLibrary.class, "java.lang.StringBuilder has no fields", "take a record"),
                Arguments.of(EmptyEnum.class, "the enum Nothing has no constants", "field spec"),
                Arguments.of(
                        WrongDefault.class,
                        "WrongDefault, field spec.number (component 'number' of record Values): defaultValue = \"three\" is"
                                + " not JSON",
                        "write for example \"3\""),
                Arguments.of(KeysOfText.class, "field spec", "listType and listMapKeys are for lists"),
                Arguments.of(WrongJson.class, "field spec", "json = [1] is no JSON object"),
                Arguments.of(Unwrapped.class, "@JsonUnwrapped", "name the fields by @JsonProperty"),
                Arguments.of(Formatted.class, "@JsonFormat", "take a type that is written as it is to be"),
                Arguments.of(NumberedEnum.class, "the constant LOW is written as 0", "take a number, or an enum"),
                Arguments.of(Months.class, "the constant JANUARY is written as 1", "take a number, or an enum"),
                Arguments.of(OfText.class, "@JsonValue of Version", "describe the value by @Schema"),
                Arguments.of(OfShape.class, "@JsonTypeInfo of Circle", "describe the value by @Schema"),
                Arguments.of(OfArray.class, "@JsonFormat of Point", "describe the value by @Schema"),
                Arguments.of(OfOthers.class, "@JsonAny", "name the fields by @JsonProperty"),
                Arguments.of(GermanDate.class, "@JsonFormat of component 'spec'", "@Schema(format = ...)"),
                Arguments.of(
                        GermanDates.class, "@JsonFormat of component 'spec'", "List<@Schema(format = ...) LocalDate>"),
                Arguments.of(OfSerializer.class, "@JsonSerialize of component 'number'", "take a type"),
                Arguments.of(WithJackson2.class, "@JsonDeserialize of component 'names'", "take a type"),
                Arguments.of(
                        DerivedStatus.class,
                        "field status[] (component 'status' of record DerivedStatus): Jackson writes 'complete', too, as"
                                + " Counted has the method isComplete()",
                        "annotate the method with @JsonIgnore"),
                Arguments.of(
                        ColumnOfMapping.class,
                        "field spec{}.protocol (component 'protocol' of record Listener): no path leads to the values of a"
                                + " mapping",
                        "@PrinterColumn(path = "),
                Arguments.of(SelectableInMapping.class, "field spec{}.name", "leave selectable = true out"),
                Arguments.of(SelectableInList.class, "field spec[].name", "leave selectable = true out"),
                Arguments.of(SelectableWithDot.class, "field spec.app\\.name", "leave selectable = true out"),
                Arguments.of(
                        OfClosed.class,
                        "field spec (component 'spec' of record OfClosed): Jackson neither reads nor writes the field 'hidden'"
                                + " of class Closed (of this class, it knows: open)",
                        "annotate it with @JsonProperty"),
                Arguments.of(
                        OpenAroundClosed.class,
                        "field spec.spec (component 'spec' of record OfClosed): Jackson neither reads nor writes the field"
                                + " 'hidden'",
                        "@Schema(preserveUnknownFields = true) where it is used"),
                Arguments.of(
                        NamesTwice.class,
                        "field spec (component 'spec' of record NamesTwice): Jackson can make nothing of OneName: Conflicting",
                        "give each a name of its own by @JsonProperty"),
                Arguments.of(
                        CreatedTwice.class,
                        "field status[] (component 'status' of record CreatedTwice): Jackson can make nothing of TwoCreators",
                        "let only one of them be"),
                Arguments.of(
                        ValuesTwice.class,
                        "field spec (component 'spec' of record ValuesTwice): Jackson can make nothing of TwoValues",
                        "let only one of them be"),
                Arguments.of(OwnKind.class, "every object has kind", "leave the component out"));
    }

    @ParameterizedTest
    @MethodSource("types")
    @Tag("M08")
    void areRefusedWithClassFieldAndWayOut(Class<?> type, String problem, String wayOut) {
        assertThatExceptionOfType(TypeException.class)
                .isThrownBy(() -> CustomResourceDefinitions.of(type))
                .withMessageContaining(type.getSimpleName())
                .withMessageContaining(problem)
                .withMessageContaining(wayOut);
    }
}
