package dev.kopf4j.checklist.audit;

import java.lang.classfile.Opcode;
import java.util.EnumMap;
import java.util.Map;

/** Instructions that take each other's place. */
final class OpcodePairs {
    private OpcodePairs() {}

    static Map<Opcode, Opcode> of(Opcode... pairs) {
        Map<Opcode, Opcode> others = new EnumMap<>(Opcode.class);
        for (int i = 0; i < pairs.length; i += 2) {
            others.put(pairs[i], pairs[i + 1]);
            others.put(pairs[i + 1], pairs[i]);
        }
        return others;
    }
}
