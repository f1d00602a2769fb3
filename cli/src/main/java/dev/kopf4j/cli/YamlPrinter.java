package dev.kopf4j.cli;

import java.io.PrintWriter;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Prints objects as YAML, one after the other. */
record YamlPrinter(PrintWriter out) {
    private static final TypeReference<Map<String, Object>> PLAIN = new TypeReference<>() {};

    void comment(String sentence) {
        out.println("# " + sentence);
    }

    void document(ObjectNode object) {
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setWidth(Integer.MAX_VALUE)
                .build();
        out.println("---");
        out.print(new Dump(settings).dumpToString(JsonMapper.shared().convertValue(object, PLAIN)));
        out.flush();
    }
}
